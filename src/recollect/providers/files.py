"""The files of all-MiniLM-L6-v2: their names, the hashes that pin them, the error when they are not there."""

from recollect.errors import ModelUnavailable

MODEL = "all-MiniLM-L6-v2"
WEIGHTS = "model.safetensors"
TOKENIZER = "tokenizer.json"
# Both decide what a vector means, so both are pinned.
SHA256 = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
REVISION = SHA256[WEIGHTS][:12]

GRAPH = "model.onnx"
QUESTIONS = "questions.onnx"
"""The graph with rounded weights."""
GRAPH_DATA = "model.data"
# The number rises whenever a conversion of the same weights would write other files.
CONVERTED = "onnx-2"


def unavailable(what_happened: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"The model {MODEL} is not ready on this machine: {what_happened}. "
        "Run `recollect setup` with a connection, copy the cache folder from a machine that has the model, "
        f"or set RECOLLECT_EMBEDDER_SOURCE to a folder with {WEIGHTS} and {TOKENIZER}."
    )
