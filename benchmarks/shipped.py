"""The embedding that comes with Chroma, and with MemPalace which uses it, over weights that lie here already.

It would fetch all-MiniLM-L6-v2 as an ONNX graph; ours is made of the same weights and gives the same vectors to the
sixth digit. All else is its own: how it splits, pads and pools.
"""

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from recollect.providers.files import GRAPH
from recollect.providers.minilm import MiniLM

Embed = Callable[[Sequence[str]], Any]


def shipped() -> Embed | None:
    """What embeds texts as Chroma does unless it is told otherwise; None where it is not installed."""
    try:
        from chromadb.utils.embedding_functions import ONNXMiniLM_L6_V2
    except ImportError:
        return None

    class OverOurs(ONNXMiniLM_L6_V2):
        place = tempfile.TemporaryDirectory(prefix="recollect-shipped-")  # gone with the process
        DOWNLOAD_PATH = Path(place.name)

        def _download_model_if_not_exists(self) -> None:
            """It is there."""

    lay(OverOurs.DOWNLOAD_PATH / OverOurs.EXTRACTED_FOLDER_NAME)
    return OverOurs()


def lay(folder: Path) -> None:
    """The model as it was published, in a graph that takes what Chroma gives: segments too, which are all alike."""
    import onnx
    from onnx import TensorProto, helper

    model = MiniLM(adapter="none")
    model.prepare()
    folder.mkdir()
    for file in model.folder.iterdir():
        if file.name != GRAPH:
            shutil.copy(file, folder)
    graph = onnx.load(str(model.folder / GRAPH), load_external_data=False)
    graph.graph.input.append(
        helper.make_tensor_value_info("token_type_ids", TensorProto.INT64, ["batch", "length"])
    )
    (folder / GRAPH).write_bytes(graph.SerializeToString())
