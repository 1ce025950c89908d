"""Files whose content is never stored, by their path alone."""

from fnmatch import fnmatchcase
from typing import Final

_IGNORED_NAMES: Final = {
    "environment variables": ".env .env.* *.env .envrc",
    "private keys": "*.pem *.key *.p12 *.pfx *.p8 *.pkcs12 *.jks *.keystore *.ppk *.kdbx *.gpg *.asc *.age",
    "SSH keys": "id_rsa* id_dsa* id_ecdsa* id_ed25519* *_rsa *_ed25519 ssh_host_*_key",
    "logins": ".netrc _netrc .pgpass .my.cnf .npmrc .pypirc .git-credentials .htpasswd .dockercfg .s3cfg .boto",
    "credentials": "credentials credentials.* .credentials *.credentials client_secret*.json service[-_]account*.json "
    "kubeconfig *.kubeconfig *.ovpn shadow gshadow wallet.dat cookies.sqlite cookies.txt logins.json",
    "secrets": "secrets secrets.* secret.* .secrets .secrets.* *.secret *.secrets *[-_.]secrets.* vault[-_]pass* "
    ".vault[-_]pass* *.tfvars *.tfstate *.tfstate.backup",
}
_IGNORED_FOLDERS: Final = (
    ".aws",
    ".azure",
    ".docker",
    ".gnupg",
    ".kube",
    ".password-store",
    ".secrets",
    ".ssh",
    "secrets",
)


def content_is_ignored(path: str) -> str | None:
    """Say why a file's content is never stored, or None if it may be.

    >>> content_is_ignored("project/.env.local")
    'files named like .env.local hold environment variables'
    >>> content_is_ignored("src/environment.py")
    """
    *folders, name = path.replace("\\", "/").rstrip("/").casefold().split("/")
    for content, patterns in _IGNORED_NAMES.items():
        if any(fnmatchcase(name, pattern) for pattern in patterns.split()):
            return f"files named like {name} hold {content}"
    for folder in folders:
        if folder in _IGNORED_FOLDERS:
            return f"the folder {folder} holds secrets"
    return None
