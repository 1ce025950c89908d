"""A language model behind the service: one for all users, counted for Prometheus."""

from served import caller, serving

from recollect.settings import LlmSettings
from recollect.testing import FakeClock


def test_what_came_of_questions_to_the_model_is_counted_and_rules_serve(model_service, tmp_path):
    model_service.answer = lambda handler, body: model_service.reply(handler, b"", 500)
    model = LlmSettings(url=f"{model_service.url}/v1", model="small")
    with serving(tmp_path / "served.db", clock=FakeClock(), llm=model) as client:
        for name in ("ada", "bob"):
            user = caller(client, name)
            user("PUT", "/config", {"formation.enabled": True})
            kept = user("POST", "/observe", {"messages": [{"role": "user", "content": "I live in Porto."}]})
            assert [one["action"] for one in kept.json()["turns"][0]["formed"]] == ["create"]
        told = client.get("/metrics", headers={"X-API-Key": user.token}).text
        assert 'recollect_llm_total{outcome="failed",task="extract"} 2.0' in told
