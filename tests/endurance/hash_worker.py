"""The command line with the hash embedder in place of a model, for processes of their own."""

import recollect.engine.core
from recollect.serve.cli import main
from recollect.testing import HashEmbedder

recollect.engine.core.make_embedder = lambda *_: HashEmbedder()

if __name__ == "__main__":
    main()
