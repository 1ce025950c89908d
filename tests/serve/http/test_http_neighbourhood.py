"""Deep recall and neighbourhoods over HTTP: of the key's user alone."""

NEIGHBOURHOOD = "/graph/neighbourhood?q=why+did+it+break&k=1&hops=1"


def test_hits_come_with_what_lies_around_them_and_nobody_elses(ada, bob):
    ids = [ada.remember(text) for text in ("Why did it break", "Rust")]
    ada("POST", f"/memories/{ids[1]}/links", {"target": ids[0], "type": "causes"})
    found = ada("GET", NEIGHBOURHOOD).json()
    assert [(one["id"], one["hops"]) for one in found["neighbours"]] == [(ids[0], 0), (ids[1], 1)]
    assert found["links"][0]["type"] == "causes"
    assert bob("GET", NEIGHBOURHOOD).json() == {"hits": [], "neighbours": [], "links": []}
    assert ada("GET", NEIGHBOURHOOD + "9").is_error


def test_depth_is_asked_for_by_a_truth_value(ada):
    for text in ("Why did it break", "Why did it bend"):
        ada.remember(text)
    found = ada("POST", "/recall", {"query": "why did it break?", "deep": True}).json()
    assert "gnn" in found["hits"][0]["signals"]
    assert ada("POST", "/recall", {"query": "why?", "deep": "much"}).is_error
