/** What `aglens help access` prints: the ways to sign in, in short. docs/operate/access.md has the rest. */
export const ACCESS_HELP = `Who may use AG Lens

Where only this machine reaches the server (HOST=127.0.0.1, the default) nobody signs in, and anyone who uses this machine may do everything.
Where the network reaches it, the server starts only with at least one of these ways. That is so with another HOST (HOST="" means
every interface), a name of another machine in AGLENS_PUBLIC_URL or AGLENS_HOSTS, or a proxy in AGLENS_TRUSTED_PROXIES:

  a shared token        AGLENS_TOKEN_FILE=/etc/aglens/token
      A line for each token: TOKEN ROLE NAME. Make one, and put it into the file:
      aglens token new contributor Ann Lee >> /etc/aglens/token
      The file is read at the start. Scripts send a token as "Authorization: Bearer TOKEN".

  OpenID Connect        AGLENS_OIDC_ISSUER=https://login.example/...  AGLENS_OIDC_CLIENT=...
      With AGLENS_PUBLIC_URL, the address that browsers use. The directory's redirect address is
      that one with /api/v1/access/directory/answer. Also AGLENS_OIDC_SECRET_FILE, AGLENS_OIDC_GROUPS_CLAIM,
      AGLENS_OIDC_SCOPES, AGLENS_OIDC_NAME.

  a proxy that signs in AGLENS_USER_HEADER=X-User  AGLENS_TRUSTED_PROXIES=10.4.0.10
      The header counts only from these addresses. Also AGLENS_GROUPS_HEADER.

Roles of a directory's or a proxy's people: AGLENS_VIEWERS, AGLENS_CONTRIBUTORS, AGLENS_ADMINS: groups with commas
between them, * for everybody who signs in. AGLENS_PEOPLE: single people, such as admin:7c9e. The highest counts;
without one there is no access.

  viewer        opens own and shared captures
  contributor   also uploads, analyses, attaches live, shares and deletes own captures
  admin         also sees and changes all captures, reads the audit log
`;
