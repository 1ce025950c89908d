"""How learning goes about it."""

from dataclasses import dataclass

DECAYS = ("context", "blind", "off")


@dataclass(frozen=True, slots=True)
class LearningParams:
    """Each part of the loop can be switched off, to see what it is worth."""

    neighbours: int = 30
    temperature: float = 0.06
    task_match: float = 3.0
    """How much more a step of the same kind of task says, as a logarithm."""
    region_match: float = 1.5
    """The same for one of the same region, at each level."""
    chances: bool = True
    """Score actions by P(success | region, action)."""
    patience: bool = False
    """What was tried here before in the same episode counts by what trying again has brought."""
    optimism: float = 0.0
    """By how many deviations an action promises more than its chance, the less it was tried."""
    sharpness: float = 2.0
    """To what power a chance counts beside the evidence."""
    clean: bool = True
    """Only successes advise; off: whatever was done does."""
    trim: bool = True
    """Only the steps that brought a success about advise; off: all of its steps."""
    necessity: float = 0.5
    """Of steps that leave no trace, only those of a type that this share of the successes had are needed; 0: all."""
    value: bool = True
    """Steps near the success count more; off: all the same."""
    gamma: float = 0.95
    decay: str = "context"
    usefulness: bool = False
    """Count advice by how often it was followed into a success, a Beta posterior."""
    weights: bool = False
    """Let outcomes teach what each signal of advice weighs, by logistic regression."""
    levels: bool = False
    """Let feedback teach what the level that a question asks for weighs beside the content."""
    edges: bool = True
    skills: bool = True
    """Make a skill of what brought about three successes in the same order."""
    warnings: bool = True
    """Let advice begin with what was criticised in earlier tries at similar goals."""
    lens: bool = False
    """Ask with questions as contrasts have taught to see them."""
    lens_rank: int = 2
    """How many directions of a question the lens reads and writes."""
    gnn: bool = False
    """Let contrasts teach what neighbours are worth."""
    consolidation: float = 100_000.0
    """How firmly that holds what it learnt before: the lambda of EWC."""
    canary: bool = True
    """Leave contrasts out that make the answers to past questions worse."""
    likeness: float = 0.8
    """The cosine from which two situations lie in one region."""
    wandering: float = 1.0
    """How much a step of a success that was not needed counts as a try that failed."""
    pseudo_counts: float = 3.0
