/** Output of `aglens help access`: a summary of the ways to sign in. docs/operate/access.md has the details. */
export const ACCESS_HELP = `Access to AG Lens

If only this machine can reach the server (HOST=127.0.0.1, the default), AG Lens requires no sign-in. All users of this machine have all rights.
If the network can reach the server, it starts only with at least one of the following ways to sign in. The network can reach it with another HOST (HOST="" means
every interface), a name of another machine in AGLENS_PUBLIC_URL or AGLENS_HOSTS, or a proxy in AGLENS_TRUSTED_PROXIES:

  a shared token        AGLENS_TOKEN_FILE=/etc/aglens/token
      One line per token: TOKEN ROLE NAME. Create a token and add it to the file:
      aglens token new contributor Ann Lee >> /etc/aglens/token
      AG Lens reads the file at startup. Scripts send a token as "Authorization: Bearer TOKEN".

  OpenID Connect        AGLENS_OIDC_ISSUER=https://login.example/...  AGLENS_OIDC_CLIENT=...
      Also set AGLENS_PUBLIC_URL, the address that browsers use. The redirect address for the directory is
      that one with /api/v1/access/directory/answer. Also AGLENS_OIDC_SECRET_FILE, AGLENS_OIDC_GROUPS_CLAIM,
      AGLENS_OIDC_SCOPES, AGLENS_OIDC_NAME.

  a proxy that signs in AGLENS_USER_HEADER=X-User  AGLENS_TRUSTED_PROXIES=10.4.0.10
      AG Lens accepts the header only from these addresses. Also AGLENS_GROUPS_HEADER.

Roles of users from a directory or proxy: AGLENS_VIEWERS, AGLENS_CONTRIBUTORS, AGLENS_ADMINS: groups with commas
between them, * for all signed-in users. AGLENS_PEOPLE: single users, such as admin:7c9e. The highest role applies;
users without a role have no access.

  viewer        opens own and shared captures
  contributor   also uploads, analyzes, attaches live, shares and deletes own captures
  admin         also sees and changes all captures, reads the audit log
`;
