"""Every verb of the command line: the one list that the parser, `--help`, the documentation and the tests share.

A verb's module is imported when the verb is called, so that `--help` stays quick.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Verb:
    """Where a verb is written and what it does, in one line."""

    module: str
    about: str


SECTIONS: Mapping[str, Mapping[str, Verb]] = MappingProxyType(
    {
        "Keep": {
            "remember": Verb("keeping", "Keep one memory."),
            "intend": Verb(
                "intending", "Keep something to be thought of at a time, or when something like it comes up."
            ),
            "describe": Verb(
                "keeping", "Keep something about the user: a preference, an expertise, or a style."
            ),
            "observe": Verb("keeping", "Keep a conversation verbatim, in the log lane."),
            "session": Verb("sessions", "Form memories from a conversation when it is over."),
            "event": Verb("events", "Take in what an agent did and met, as events."),
        },
        "Bring back": {
            "recall": Verb("recalling", "Bring back what helps with a question, best first."),
            "context": Verb("recalling", "Print the best memories as text for a prompt."),
            "bundle": Verb("recalling", "Bring everything that helps with a question at once, part by part."),
            "portrait": Verb(
                "recalling", "Show what is known about the user: preferences, expertise, style."
            ),
            "timeline": Verb("recalling", "Show what was believed when, of a topic or of all."),
            "cypher": Verb("graphing", "Ask the graph in Cypher, which can only read."),
            "graph": Verb("graphing", "Tell what the shape of the graph says: hubs, communities, paths."),
            "geometry": Verb(
                "graphing", "Tell what levels memories have, from the general to the particular."
            ),
            "due": Verb("intending", "Show the intentions that are due."),
            "list": Verb("looking", "List memories page by page."),
            "show": Verb("looking", "Show one memory with all that is known about it."),
            "entity": Verb("naming", "Show what is known about somebody or something."),
            "history": Verb("looking", "Show every version of a memory and of those that it replaced."),
        },
        "Change": {
            "edit": Verb("changing", "Put a new text in place of the old one."),
            "tag": Verb("changing", "Add tags to a memory, or remove them."),
            "link": Verb("changing", "Relate two memories by a typed edge."),
            "unlink": Verb("changing", "Take an edge between two memories away; `link` brings it back."),
            "pin": Verb("changing", "Protect a memory from forgetting, or from every change."),
            "review": Verb("reviewing", "Decide which of two contradicting memories holds."),
            "quarantine": Verb("reviewing", "Show what was taken for an attack, and why."),
            "gaps": Verb("reviewing", "Show what came up and nothing was known about."),
            "forget": Verb("forgetting", "Make memories dormant; `restore` undoes it."),
            "restore": Verb("forgetting", "Bring dormant memories back."),
            "purge": Verb("forgetting", "Erase memories for good; it cannot be undone."),
        },
        "Learn": {
            "goals": Verb("pursuing", "Set goals, and say how they stand."),
            "episodes": Verb("learning", "List episodes, newest first, or show the steps of one."),
            "decide": Verb(
                "learning", "Say what worked in similar situations, and what each action promises."
            ),
            "feedback": Verb("dreaming", "Say that memories helped, or did not."),
            "outcome": Verb("learning", "End an open episode and learn from it, or take its outcome back."),
            "reflect": Verb(
                "learning", "Keep a critique of an episode: a warning to later tries at similar goals."
            ),
            "strategy": Verb("learning", "Show the way that led to success from situations like this."),
            "skills": Verb("learning", "List skills: what several successes did in the same order."),
            "tools": Verb(
                "learning", "Tell of each type of action how often, how well and how fast it was done."
            ),
            "gnn": Verb(
                "learning",
                "Tell how it stands with what neighbours are worth, or go back to a version of it.",
            ),
            "lens": Verb("learning", "Tell how the lens of questions stands, or reset it."),
            "influences": Verb(
                "learning",
                "Tell what comes before what: whose mentions help to predict whose (Granger's test).",
            ),
        },
        "Exchange": {
            "export": Verb("exchanging", "Write memories out as JSON Lines or Markdown."),
            "import": Verb("exchanging", "Take an export in; the same one twice changes nothing."),
            "snapshot": Verb("copying", "Copy the whole store, as it is now, into one file."),
            "branch": Verb("copying", "Make a copy that goes its own way and can be merged back."),
            "diff": Verb("copying", "Show what this store and a branch have each changed."),
            "merge": Verb("copying", "Take over what only a branch changed."),
            "upgrade": Verb("copying", "Finish the upgrade of a store on a server."),
            "migrate": Verb("copying", "Move a whole store into a new file or onto a server."),
        },
        "Share": {
            "publish": Verb("publishing", "Publish a text, or memories, for others to find."),
            "unpublish": Verb("publishing", "Take your item away: nobody's next question finds it."),
            "library": Verb("publishing", "Look at what was published, by you and by others."),
            "grant": Verb("granting", "Let another user into a channel of yours."),
            "revoke": Verb("granting", "Take a grant away; it counts from the next question on."),
            "grants": Verb("granting", "Show what you granted to others, and others to you."),
            "contribute": Verb("granting", "Keep a memory in a channel that another user shares with you."),
            "sync": Verb("syncing", "Take what another store has, and give it what this one has."),
        },
        "Serve": {
            "serve": Verb("serving", "Serve memory over HTTP, to many users."),
            "mcp": Verb("agents", "Serve memory to an agent, over standard input and output (MCP)."),
            "keys": Verb("keying", "Make, list and revoke the keys of the service."),
        },
        "Look after": {
            "dream": Verb(
                "dreaming", "Let memories fade, sleep and be put in order; `--undo` takes it back."
            ),
            "worker": Verb("dreaming", "Do what is due for every user of the store, until it is stopped."),
            "stats": Verb("upkeep", "Show counts, sizes and the state of the index and the model."),
            "verify": Verb("upkeep", "Find what was changed behind the engine's back."),
            "audit": Verb("auditing", "Show what was written, and what was read and by whom."),
            "compact": Verb("upkeep", "Give unused space back and merge the index."),
            "reembed": Verb("upkeep", "Give every text a vector of the present embedder."),
            "config": Verb("settings", "Show and change the settings."),
            "setup": Verb("settings", "Fetch and prepare the embedding model."),
            "eval": Verb("evaluating", "Measure recall, or learning, on a public set."),
            "demo": Verb("touring", "Take a tour on a store of its own, which is gone afterwards."),
        },
    }
)

VERBS: Mapping[str, Verb] = MappingProxyType(
    {name: verb for verbs in SECTIONS.values() for name, verb in verbs.items()}
)
