import json
import math
import struct
import subprocess
import sys

import numpy as np
import onnxruntime
import pytest

from recollect.errors import InvalidInput, MissingExtra
from recollect.providers import adapters
from recollect.providers import convert as convert_module
from recollect.providers.convert import convert, merge, read_safetensors
from recollect.providers.files import GRAPH, GRAPH_DATA, QUESTIONS, WEIGHTS

QUERY = "encoder.layer.1.attention.self.query"
HEADS = 12
erf = np.vectorize(math.erf, otypes=[np.float64])


def write_safetensors(path, tensors):
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, values in tensors.items():
        kind = {"float32": "F32", "int64": "I64"}[values.dtype.name]
        header[name] = {
            "dtype": kind,
            "shape": list(values.shape),
            "data_offsets": [offset, offset + values.nbytes],
        }
        offset += values.nbytes
    packed = json.dumps(header).encode()
    path.write_bytes(
        struct.pack("<Q", len(packed)) + packed + b"".join(v.tobytes() for v in tensors.values())
    )


def random_weights(seed, width=48, inner=96, layers=2, words=60, positions=32):
    rng = np.random.default_rng(seed)
    shapes = {
        "embeddings.word_embeddings.weight": (words, width),
        "embeddings.position_embeddings.weight": (positions, width),
        "embeddings.token_type_embeddings.weight": (2, width),
        "embeddings.LayerNorm.weight": (width,),
        "embeddings.LayerNorm.bias": (width,),
    }
    for number in range(layers):
        layer = f"encoder.layer.{number}"
        for part in ("attention.self.query", "attention.self.key", "attention.self.value"):
            shapes |= {f"{layer}.{part}.weight": (width, width), f"{layer}.{part}.bias": (width,)}
        for block, outputs, inputs in (
            ("attention.output.dense", width, width),
            ("intermediate.dense", inner, width),
            ("output.dense", width, inner),
        ):
            shapes |= {f"{layer}.{block}.weight": (outputs, inputs), f"{layer}.{block}.bias": (outputs,)}
        for block in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{layer}.{block}.weight": (width,), f"{layer}.{block}.bias": (width,)}
    weights = {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}
    return {"embeddings.position_ids": np.arange(positions), **weights}


def forward(weights, input_ids, attention_mask):
    """BERT in plain float64: the last hidden states, and their masked mean as a unit vector."""
    w = {name: values.astype(np.float64) for name, values in weights.items()}
    length = input_ids.shape[1]

    def linear(x, name):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def normal(x, name):
        centred = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return centred / deviation * w[f"{name}.weight"] + w[f"{name}.bias"]

    def heads(x):
        return x.reshape(*x.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)

    x = w["embeddings.word_embeddings.weight"][input_ids]
    x = (
        x
        + w["embeddings.position_embeddings.weight"][:length]
        + w["embeddings.token_type_embeddings.weight"][0]
    )
    x = normal(x, "embeddings.LayerNorm")
    hidden_from_all = np.where(attention_mask[:, None, None, :] == 1, 0.0, -np.inf)
    number = 0
    while f"encoder.layer.{number}.output.dense.weight" in w:
        layer = f"encoder.layer.{number}"
        q, k, v = (heads(linear(x, f"{layer}.attention.self.{part}")) for part in ("query", "key", "value"))
        raw = q @ k.transpose(0, 1, 3, 2) / math.sqrt(q.shape[-1]) + hidden_from_all
        attention = np.exp(raw - raw.max(-1, keepdims=True))
        attention /= attention.sum(-1, keepdims=True)
        mixed = (attention @ v).transpose(0, 2, 1, 3).reshape(x.shape)
        x = normal(
            linear(mixed, f"{layer}.attention.output.dense") + x, f"{layer}.attention.output.LayerNorm"
        )
        inner = linear(x, f"{layer}.intermediate.dense")
        inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        x = normal(linear(inner, f"{layer}.output.dense") + x, f"{layer}.output.LayerNorm")
        number += 1
    mask = attention_mask[:, :, None]
    mean = (x * mask).sum(1) / mask.sum(1)
    return x, mean / np.linalg.norm(mean, axis=1, keepdims=True)


@pytest.fixture
def weights():
    return random_weights(seed=1)


@pytest.fixture
def encoder(tmp_path):
    """Converts weights and returns a function that runs the graph on them."""

    def build(weights, adapter=None, name="converted", graph=GRAPH):
        folder = tmp_path / name
        folder.mkdir()
        write_safetensors(tmp_path / WEIGHTS, weights)
        convert(tmp_path / WEIGHTS, folder, adapter)
        session = onnxruntime.InferenceSession(str(folder / graph))

        def run(input_ids, attention_mask):
            inputs = {"input_ids": input_ids, "attention_mask": attention_mask}
            return session.run(["tokens", "pooled"], inputs)

        return run

    return build


def batch(lengths, words=60, seed=2):
    rng = np.random.default_rng(seed)
    attention_mask = (np.arange(max(lengths)) < np.array(lengths)[:, None]).astype(np.int64)
    return rng.integers(1, words, attention_mask.shape) * attention_mask, attention_mask


def test_without_the_exact_graph_its_weights_are_not_there_either(tmp_path, weights):
    write_safetensors(tmp_path / WEIGHTS, weights)
    for name in ("both", "rounded"):
        (tmp_path / name).mkdir()
        convert(tmp_path / WEIGHTS, tmp_path / name, exact=name == "both")
    assert {file.name for file in (tmp_path / "rounded").iterdir()} == {QUESTIONS, GRAPH_DATA}
    both, rounded = ((tmp_path / name / GRAPH_DATA).stat().st_size for name in ("both", "rounded"))
    assert rounded < both
    tokens = {"input_ids": np.array([[1, 2, 3]]), "attention_mask": np.ones((1, 3), np.int64)}
    one, other = (
        onnxruntime.InferenceSession(str(tmp_path / name / QUESTIONS)).run(["pooled"], tokens)[0]
        for name in ("both", "rounded")
    )
    assert np.array_equal(one, other)


@pytest.mark.parametrize("lengths", [[1], [7], [9, 4, 1], [32, 2, 17, 32]])
def test_the_graph_agrees_with_plain_numpy(encoder, weights, lengths):
    input_ids, attention_mask = batch(lengths)
    tokens, pooled = encoder(weights)(input_ids, attention_mask)
    expected_tokens, expected_pooled = forward(weights, input_ids, attention_mask)
    assert tokens.shape == expected_tokens.shape
    real = attention_mask == 1
    np.testing.assert_allclose(tokens[real], expected_tokens[real], atol=1e-5)
    np.testing.assert_allclose(pooled, expected_pooled, atol=1e-5)


@pytest.mark.parametrize("lengths", [[7], [9, 4, 1]])
def test_the_graph_for_questions_agrees_as_far_as_its_rounding(encoder, weights, lengths):
    input_ids, attention_mask = batch(lengths)
    _, pooled = encoder(weights, graph=QUESTIONS)(input_ids, attention_mask)
    _, expected = forward(weights, input_ids, attention_mask)
    cosines = (pooled * expected).sum(axis=1)
    assert cosines.min() > 0.98
    assert cosines.max() < 1 - 1e-6, "nothing was rounded"


def test_a_column_without_a_weight_rounds_to_nothing(encoder, weights):
    weights["encoder.layer.0.output.dense.weight"][3] = 0
    _, pooled = encoder(weights, graph=QUESTIONS)(*batch([5]))
    assert np.isfinite(pooled).all()


def test_both_graphs_share_what_they_have_in_common(encoder, weights, tmp_path):
    encoder(weights)
    exact = sum(values.nbytes for values in weights.values())
    assert (tmp_path / "converted" / GRAPH_DATA).stat().st_size < 1.5 * exact + 100 * 4096


def test_padding_does_not_change_a_vector(encoder, weights):
    run = encoder(weights)
    input_ids, attention_mask = batch([5])
    _, alone = run(input_ids, attention_mask)
    _, padded = run(np.pad(input_ids, ((0, 0), (0, 20))), np.pad(attention_mask, ((0, 0), (0, 20))))
    np.testing.assert_allclose(padded, alone, atol=1e-6)


def test_the_same_weights_give_the_same_bytes(encoder, weights, tmp_path):
    encoder(weights, name="first")
    encoder(weights, name="second")
    for name in (GRAPH, QUESTIONS, GRAPH_DATA):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


def test_an_adapter_is_added_to_the_weight_of_its_layer(encoder, weights):
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(4, 48)).astype(np.float32), rng.normal(size=(48, 4)).astype(np.float32)
    input_ids, attention_mask = batch([9, 4])
    _, adapted = encoder(weights, {QUERY: (a, b)})(input_ids, attention_mask)
    merged = weights | {f"{QUERY}.weight": weights[f"{QUERY}.weight"] + b @ a}
    np.testing.assert_allclose(adapted, forward(merged, input_ids, attention_mask)[1], atol=1e-5)
    assert np.abs(adapted - forward(weights, input_ids, attention_mask)[1]).max() > 1e-2


@pytest.mark.parametrize(
    ("layer", "a_shape", "b_shape", "complaint"),
    [
        ("encoder.layer.9.output.dense", (4, 48), (48, 4), "does not have"),
        (QUERY, (4, 47), (48, 4), "shape"),
        (QUERY, (4, 48), (47, 4), "shape"),
        (QUERY, (4, 48), (48, 5), "shape"),
    ],
)
def test_an_adapter_that_does_not_fit_is_refused(encoder, weights, layer, a_shape, b_shape, complaint):
    adapter = {layer: (np.zeros(a_shape, np.float32), np.zeros(b_shape, np.float32))}
    with pytest.raises(InvalidInput, match=complaint):
        encoder(weights, adapter)


@pytest.mark.parametrize("name_length", range(1, 9))
def test_tensors_are_read_wherever_the_header_ends(tmp_path, name_length):
    tensors = {"n" * name_length: np.arange(6, dtype=np.float32).reshape(2, 3), "ids": np.arange(3)}
    write_safetensors(tmp_path / "file", tensors)
    read = read_safetensors(tmp_path / "file")
    assert list(read) == ["n" * name_length]
    np.testing.assert_array_equal(read["n" * name_length], tensors["n" * name_length])


@pytest.mark.parametrize("damage", ["empty", "header cut", "body cut", "not safetensors"])
def test_a_damaged_weights_file_is_refused(tmp_path, damage):
    path = tmp_path / "file"
    write_safetensors(path, {"tensor": np.arange(6, dtype=np.float32)})
    whole = path.read_bytes()
    path.write_bytes(
        {"empty": b"", "header cut": whole[:20], "body cut": whole[:-4], "not safetensors": b"PK\3\4" * 99}[
            damage
        ]
    )
    with pytest.raises(InvalidInput, match="not a whole safetensors file"):
        read_safetensors(path)


def test_without_onnx_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(convert_module.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"recollect\[model\]"):
        convert(tmp_path / WEIGHTS, tmp_path)


def test_importing_the_module_does_not_need_onnx():
    script = "import sys; sys.modules['onnx'] = None; import recollect.providers.convert"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.model
def test_the_real_model_agrees_with_plain_numpy(model):
    weights = merge(read_safetensors(model._weights / WEIGHTS), adapters.read(adapters.NEWEST))
    session = onnxruntime.InferenceSession(str(model._converted / GRAPH))
    input_ids, attention_mask = batch([40, 13, 3], words=30_000)
    tokens, pooled = session.run(None, {"input_ids": input_ids, "attention_mask": attention_mask})
    expected_tokens, expected_pooled = forward(weights, input_ids, attention_mask)
    real = attention_mask == 1
    np.testing.assert_allclose(tokens[real], expected_tokens[real], atol=1e-5)
    np.testing.assert_allclose(pooled, expected_pooled, atol=1e-6)
