"""Several trainings as one adapter, which needs no PyTorch."""

import numpy as np
import pytest
from training.averaging import averaged, main

LAYERS = ("encoder.layer.0.output.dense", "encoder.layer.1.output.dense")


def changed(seed, rank=2):
    draw = np.random.default_rng(seed)
    return {
        f"{layer}.{factor}": draw.normal(0, 0.1, shape).astype(np.float16)
        for layer in LAYERS
        for factor, shape in (("a", (rank, 12)), ("b", (8, rank)))
    }


def product(change, layer=LAYERS[0]):
    return change[f"{layer}.b"].astype(np.float32) @ change[f"{layer}.a"].astype(np.float32)


def test_the_mean_of_trainings_is_the_mean_of_what_each_changes():
    some = [changed(seed) for seed in range(3)]
    made = averaged(some, rank=6, share=1.0)
    assert made.keys() == some[0].keys()
    for layer in LAYERS:
        mean = np.mean([product(one, layer) for one in some], axis=0)
        assert np.allclose(product(made, layer), mean, atol=1e-4)


def test_a_share_of_it_is_made():
    one = changed(0)
    assert np.allclose(product(averaged([one], rank=2, share=0.5)), 0.5 * product(one), atol=1e-4)


def test_of_more_than_fits_the_strongest_directions_stay():
    some = [changed(seed) for seed in range(3)]
    mean = np.mean([product(one) for one in some], axis=0)
    made = averaged(some, rank=1, share=1.0)
    assert made[f"{LAYERS[0]}.a"].shape == (1, 12)
    strongest = np.linalg.svd(mean, compute_uv=False)
    assert np.linalg.norm(mean - product(made)) == pytest.approx(np.linalg.norm(strongest[1:]), rel=1e-2)


def test_the_command_reads_files_and_writes_one(tmp_path, monkeypatch):
    files = [tmp_path / f"{seed}.npz" for seed in range(2)]
    for seed, path in enumerate(files):
        np.savez_compressed(path, **changed(seed))
    target = tmp_path / "mean.npz"
    monkeypatch.setattr("sys.argv", ["averaging", str(target), *map(str, files), "--share", "1"])
    main()
    with np.load(target) as made:
        mean = (product(changed(0)) + product(changed(1))) / 2
        assert np.allclose(product(made), mean, atol=1e-4)
        assert {values.dtype for values in made.values()} == {np.dtype(np.float16)}
