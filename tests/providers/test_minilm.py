import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from recollect.errors import InvalidInput, MissingExtra, ModelUnavailable
from recollect.providers import convert as convert_module
from recollect.providers.files import GRAPH, GRAPH_DATA, TOKENIZER
from recollect.providers.minilm import MiniLM
from recollect.providers.session import MAX_CHARACTERS, batches

TEXTS = [
    "The deploy goes through staging first.",
    "ok",
    "Caroline went to a support group yesterday, and it was so powerful that she told everyone about it.",
    "Kahveyi sade severim, şekersiz.",
    "def add(a, b):\n    return a + b\n" * 12,
    "日本語のテキスト",
]


def cosines(left, right):
    return (left * right).sum(axis=1)


@pytest.fixture
def private_model(model, tmp_path):
    """The real model with a cache folder of its own, in which it can be damaged."""
    folder = tmp_path / model._weights.parent.name
    folder.mkdir()
    (folder / "weights").symlink_to(model._weights)
    minilm = MiniLM(source="/no/such/folder", cache_dir=tmp_path)
    minilm.prepare()
    return minilm


def test_importing_the_module_loads_no_model_library():
    script = (
        "import sys; import recollect.providers.minilm as m; m.MiniLM();"
        "print([name for name in ('onnx', 'onnxruntime', 'tokenizers') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_making_one_touches_nothing(tmp_path):
    minilm = MiniLM(cache_dir=tmp_path / "cache")
    assert minilm.name == "all-MiniLM-L6-v2@53aa51172d14+memory-3"
    assert MiniLM(adapter="none").name == "all-MiniLM-L6-v2@53aa51172d14"
    assert minilm.dimension == 384
    assert not minilm.ready
    assert list(tmp_path.iterdir()) == []


def test_an_empty_cache_without_a_source_gives_one_clear_error(tmp_path):
    minilm = MiniLM(source=tmp_path / "nowhere", cache_dir=tmp_path / "cache")
    with pytest.raises(ModelUnavailable, match="recollect setup"):
        minilm.embed(["text"])


def test_a_missing_extra_is_reported_before_anything_is_downloaded(tmp_path, monkeypatch):
    monkeypatch.setattr(convert_module.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"recollect\[model\]"):
        MiniLM(source=tmp_path / "nowhere", cache_dir=tmp_path / "cache").prepare()


def test_less_than_one_thread_is_refused():
    with pytest.raises(InvalidInput, match="threads"):
        MiniLM(threads=0)


def test_batches_hold_every_row_once_and_respect_the_budget():
    lengths = np.random.default_rng(5).integers(1, 257, 500).tolist()
    made = list(batches(lengths, budget=512))
    assert sorted(row for batch in made for row in batch) == list(range(500))
    assert max(len(batch) * max(lengths[row] for row in batch) for batch in made) <= 512
    padded = sum(len(batch) * max(lengths[row] for row in batch) for batch in made)
    assert padded < 1.05 * sum(lengths)


def test_a_row_longer_than_the_budget_is_a_batch_of_its_own():
    assert list(batches([4, 900, 3], budget=8)) == [[1], [0, 2]]


@pytest.mark.model
class TestRealModel:
    def test_it_gives_the_similarities_that_its_makers_publish(self, plain):
        """The three sentences and values of the sentence-transformers quickstart."""
        vectors = plain.embed(
            ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
        )
        expected = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
        np.testing.assert_allclose(vectors @ vectors.T, expected, atol=1e-4)

    def test_rows_are_unit_vectors_in_float32(self, model):
        vectors = model.embed(TEXTS)
        assert vectors.shape == (len(TEXTS), 384)
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)

    def test_a_text_alone_and_in_a_batch_agree(self, model):
        texts = TEXTS * 20
        alone = np.concatenate([model.embed([text]) for text in TEXTS] * 20)
        assert cosines(model.embed(texts), alone).min() >= 0.99999

    def test_rows_come_in_the_order_of_the_texts(self, model):
        forwards, backwards = model.embed(TEXTS), model.embed(TEXTS[::-1])
        assert cosines(forwards, backwards[::-1]).min() >= 0.99999
        assert cosines(forwards, backwards).min() < 0.5

    def test_the_number_of_threads_does_not_change_a_vector(self, model):
        one = MiniLM(threads=1).embed(TEXTS)
        assert cosines(one, MiniLM(threads=2).embed(TEXTS)).min() >= 0.99999

    def test_with_rounded_weights_questions_get_about_the_same_vectors(self, model):
        quick = model.for_questions
        assert quick.name == f"{model.name}~8"
        assert quick.folder == model.folder
        assert quick._loaded()._graph.get_session_options().intra_op_num_threads == 1
        exact, rounded = model.embed(TEXTS), quick.embed(TEXTS)
        assert cosines(exact, rounded).min() > 0.97
        assert cosines(exact, rounded).max() < 0.99999
        words, rounded_words = model.encode(TEXTS[:1])[1][0], quick.encode(TEXTS[:1])[1][0]
        np.testing.assert_array_equal(words.terms, rounded_words.terms)

    def test_no_texts_give_no_rows(self, model):
        assert model.embed([]).shape == (0, 384)

    @pytest.mark.parametrize(
        "text", ["", " \n\t", "\0", "a\0b", "\ud800", "x\udfffy", "\U0001f600", "\ufffd" * 9]
    )
    def test_odd_texts_get_a_unit_vector(self, model, text):
        (vector,) = model.embed([text])
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)

    def test_a_split_surrogate_pair_means_its_character(self, model):
        split, joined = model.embed(["fine \ud83d\ude00", "fine \U0001f600"])
        assert split @ joined >= 0.99999

    def test_words_count_up_to_256_tokens_and_no_further(self, model):
        words = "apple " * 200
        past_128, within, cut, cut_elsewhere = model.embed(
            [words, words + "war " * 40, words + "war " * 60, words + "war " * 60 + "peace " * 500]
        )
        assert past_128 @ within < 0.99
        assert cut @ cut_elsewhere >= 0.99999

    def test_a_huge_text_is_cut_before_it_is_tokenised(self, model, monkeypatch):
        seen = []
        tokenizer = model._loaded()._tokenizer

        class Spy:
            def encode(self, text):
                seen.append(len(text))
                return tokenizer.encode(text)

        monkeypatch.setattr(model._loaded(), "_tokenizer", Spy())
        model.embed(["word " * 1_000_000])
        assert seen == [MAX_CHARACTERS]

    def test_a_single_text_instead_of_a_list_is_refused(self, model):
        with pytest.raises(InvalidInput, match="list"):
            model.embed("text")

    def test_progress_rises_to_the_total(self, model):
        heard = []
        model.embed(TEXTS * 10, lambda done, total: heard.append((done, total)))
        done = [done for done, _ in heard]
        assert {total for _, total in heard} == {len(TEXTS) * 10}
        assert len(done) > 1
        assert done == sorted(set(done))
        assert done[-1] == len(TEXTS) * 10

    def test_threads_that_ask_first_at_once_share_one_session(self, model, monkeypatch):
        shared, opened = MiniLM(), []
        monkeypatch.setattr(shared, "_open", lambda: opened.append(1) or MiniLM._open(shared))
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(lambda _: shared.embed(TEXTS[:2]), range(8)))
        assert len(opened) == 1
        assert min(cosines(result, results[0]).min() for result in results) >= 0.99999

    @pytest.mark.parametrize("name", [GRAPH, GRAPH_DATA, TOKENIZER])
    def test_a_damaged_cache_is_converted_again(self, private_model, model, name):
        path = private_model._converted / name
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        assert cosines(private_model.embed(TEXTS), model.embed(TEXTS)).min() >= 0.99999

    def test_a_converted_cache_needs_neither_the_weights_nor_onnx(self, private_model, monkeypatch):
        (private_model._weights).unlink()
        monkeypatch.setattr(convert_module, "require_onnx", lambda: pytest.fail("converted again"))
        assert private_model.embed(["text"]).shape == (1, 384)

    def test_files_that_the_runtime_cannot_open_even_when_new_are_reported(self, private_model, monkeypatch):
        def fail():
            raise RuntimeError("no such instruction")

        monkeypatch.setattr(private_model, "_open", fail)
        with pytest.raises(ModelUnavailable, match="no such instruction"):
            private_model.embed(["text"])
