"""The pack of granite-embedding-30m, read from one that is made here; only the last test needs PyTorch."""

import json
import struct
from itertools import pairwise

import numpy as np
import pytest
from training.granite import is_pack, read_pack

HIDDEN, INNER, WORDS, PLACES, OFFSET, GROUP = 12, 24, 5, 6, 2, 4
TOKENIZER = '{"model": "Ġ"}'
SHAPES = {
    "word_emb": (WORDS, HIDDEN),
    "pos_emb": (PLACES, HIDDEN),
    "type_emb": (2, HIDDEN),
    "emb_ln.w": (HIDDEN,),
    "emb_ln.b": (HIDDEN,),
    "l0.qkv.w": (3 * HIDDEN, HIDDEN),
    "l0.qkv.b": (3 * HIDDEN,),
    "l0.ao.w": (HIDDEN, HIDDEN),
    "l0.ao.b": (HIDDEN,),
    "l0.aln.w": (HIDDEN,),
    "l0.aln.b": (HIDDEN,),
    "l0.f1.w": (INNER, HIDDEN),
    "l0.f1.b": (INNER,),
    "l0.f2.w": (HIDDEN, INNER),
    "l0.f2.b": (HIDDEN,),
    "l0.fln.w": (HIDDEN,),
    "l0.fln.b": (HIDDEN,),
}
ROUNDED = {"word_emb", "l0.qkv.w", "l0.ao.w", "l0.f1.w", "l0.f2.w"}
NAMED = {
    "word_emb": "embeddings.word_embeddings.weight",
    "type_emb": "embeddings.token_type_embeddings.weight",
    "emb_ln.w": "embeddings.LayerNorm.weight",
    "emb_ln.b": "embeddings.LayerNorm.bias",
    "l0.ao.w": "encoder.layer.0.attention.output.dense.weight",
    "l0.ao.b": "encoder.layer.0.attention.output.dense.bias",
    "l0.aln.w": "encoder.layer.0.attention.output.LayerNorm.weight",
    "l0.aln.b": "encoder.layer.0.attention.output.LayerNorm.bias",
    "l0.f1.w": "encoder.layer.0.intermediate.dense.weight",
    "l0.f1.b": "encoder.layer.0.intermediate.dense.bias",
    "l0.f2.w": "encoder.layer.0.output.dense.weight",
    "l0.f2.b": "encoder.layer.0.output.dense.bias",
    "l0.fln.w": "encoder.layer.0.output.LayerNorm.weight",
    "l0.fln.b": "encoder.layer.0.output.LayerNorm.bias",
}
THIRDS = ("query", "key", "value")


def drawn():
    """Values of every tensor, each group of a row of another size than all others."""
    draw = np.random.default_rng(0)
    found = {}
    for name, shape in SHAPES.items():
        values = draw.normal(size=shape)
        if name in ROUNDED:
            sizes = draw.permutation(values.size // GROUP) + 1.0
            values *= np.repeat(sizes, GROUP).reshape(shape)
        found[name] = values.astype(np.float32)
    return found


def in_eight_bits(values):
    """A row's codes, group by group, then all other rows'; behind them the scales in the same order."""
    codes, scales = bytearray(), bytearray()
    for row in values:
        for start, stop in pairwise(range(0, len(row) + 1, GROUP)):
            scale = np.float32(np.abs(row[start:stop]).max() / 127)
            codes += bytes(int(code) & 255 for code in np.rint(row[start:stop] / scale))
            scales += struct.pack("<f", scale)
    return bytes(codes + scales)


def written(path, values):
    """A pack of these tensors, as the wheel has it."""
    tensors, body = [], b""
    for name, own in values.items():
        rounded = name in ROUNDED
        raw = in_eight_bits(own) if rounded else own.astype("<f4").tobytes()
        kind = {"dtype": "i8" if rounded else "f32", "group": GROUP if rounded else 0}
        tensors.append({"name": name, "shape": own.shape, "len": len(raw), **kind})
        body += raw
    words = TOKENIZER.encode()
    told = {"arch": {"position_offset": OFFSET}, "tokenizer_len": len(words), "tensors": tensors}
    header = json.dumps(told).encode()
    path.write_bytes(b"HMSEMB01" + struct.pack("<Q", len(header)) + header + words + body)
    return path


def rounded_from(found, own):
    """Whether each value lies within half a step of its own group's scale."""
    steps = np.abs(own.reshape(len(own), -1, GROUP)).max(-1) / 127
    return found.shape == own.shape and (np.abs(found - own) <= 0.51 * np.repeat(steps, GROUP, axis=1)).all()


@pytest.fixture(scope="module")
def values():
    return drawn()


@pytest.fixture(scope="module")
def pack(tmp_path_factory, values):
    return written(tmp_path_factory.mktemp("pack") / "small.hmsemb", values)


def test_weights_come_back_within_half_a_step_of_their_groups_scale(pack, values):
    weights = read_pack(pack).weights
    for name in ROUNDED & NAMED.keys():
        assert rounded_from(weights[NAMED[name]], values[name]), name


def test_floats_come_back_as_they_were_under_the_names_of_minilm(pack, values):
    weights = read_pack(pack).weights
    assert {own.dtype for own in weights.values()} == {np.dtype(np.float32)}
    for name in NAMED.keys() - ROUNDED:
        assert np.array_equal(weights[NAMED[name]], values[name]), name
    thirds = {
        f"encoder.layer.0.attention.self.{third}.{part}" for third in THIRDS for part in ("weight", "bias")
    }
    assert weights.keys() == {*NAMED.values(), *thirds, "embeddings.position_embeddings.weight"}


def test_query_key_and_value_are_the_thirds_of_one_matrix_in_this_order(pack, values):
    weights = read_pack(pack).weights
    for place, third in enumerate(THIRDS):
        rows = slice(place * HIDDEN, (place + 1) * HIDDEN)
        name = f"encoder.layer.0.attention.self.{third}"
        assert rounded_from(weights[f"{name}.weight"], values["l0.qkv.w"][rows])
        assert np.array_equal(weights[f"{name}.bias"], values["l0.qkv.b"][rows])


def test_places_are_counted_from_behind_that_of_padding(pack, values):
    places = read_pack(pack).weights["embeddings.position_embeddings.weight"]
    assert np.array_equal(places, values["pos_emb"][OFFSET:])


def test_the_tokenizer_lies_between_header_and_weights(pack):
    assert is_pack(pack)
    assert read_pack(pack).tokenizer == TOKENIZER


def test_a_file_of_another_kind_is_named(pack, tmp_path):
    other = tmp_path / "other.hmsemb"
    other.write_bytes(b"HMSEMB02" + pack.read_bytes()[8:])
    with pytest.raises(ValueError, match=r"other\.hmsemb is no pack: it does not begin with HMSEMB01"):
        read_pack(other)


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        (12, "ends before its header"),
        (100, "ends before its header"),
        (-1, "bytes where its header tells of"),
    ],
)
def test_a_file_that_was_cut_off_is_not_read(pack, tmp_path, kept, told):
    short = tmp_path / "short.hmsemb"
    short.write_bytes(pack.read_bytes()[:kept])
    with pytest.raises(ValueError, match=rf"short\.hmsemb.* {told}"):
        read_pack(short)


def test_nothing_stands_behind_the_last_tensor(pack, tmp_path):
    longer = tmp_path / "longer.hmsemb"
    longer.write_bytes(pack.read_bytes() + b"\0")
    with pytest.raises(ValueError, match="bytes where its header tells of"):
        read_pack(longer)


def test_a_texts_vector_is_its_first_tokens_last_state_and_its_words_are_those_of_the_layer_before(pack):
    torch = pytest.importorskip("torch", reason="PyTorch is missing: `make test-training` installs it")
    from training.encoder import Encoder, read_weights

    weights = read_weights(pack)
    shallow = {name: own for name, own in weights.items() if not name.startswith("encoder.layer.0.")}
    ids, mask = torch.tensor([[0, 3, 1, 4]]), torch.tensor([[1.0, 1.0, 1.0, 0.0]])
    words, pooled = Encoder(weights, 1, first=True)(ids, mask)
    last, _ = Encoder(weights, 1)(ids, mask)
    before, _ = Encoder(shallow, 1)(ids, mask)
    assert torch.equal(words, before)
    assert torch.allclose(pooled, torch.nn.functional.normalize(last[:, 0], dim=-1))
    assert not torch.allclose(last, before, atol=1e-2)
