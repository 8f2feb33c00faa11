import { plural } from "@aglens/ag-model/words";

/** Texts of the page to sign in. */
export const accessTexts = {
  // Sign in
  orWithAnAccess: "or with an access token",
  proxySignsPeople:
    "A proxy signs users in before they reach this server, and it sent no user name. Load the page again. If that doesn't help, ask the administrator of the proxy.",
  continueWith: (name: string): string => `Continue with ${name}`,
  openIDConnectAgLens: "OpenID Connect. AG Lens learns your name and groups, and nothing else.",
  accessToken: "Access token",
  tokenWasNotTaken: "The token was not accepted.",

  // Sign in page
  signIn: "Sign in",
  signingInIsWritten: "Signing in is written to the audit log",
  signInToAg: "Sign in to AG Lens",
  afterSigning: (hostname: string): string =>
    `${hostname}. After signing in the page that you asked for opens.`,
  rolesAndLinks: "Roles and links",
  rightsOfEachRole: "Rights of each role",
  linkYouWereSent: "A link you were sent",
  opensHereWithout:
    "Opens here without a role when its maker allows “anyone with the link”. It shows that capture only, and ends on its day.",
  whereTheFilesAre: "Where the files are",
  onThisServerUntil: "On this server, until a user deletes them.",
  onThisServerKept: (keepDays: number): string =>
    `On this server. Kept ${plural(keepDays, "# day")} after they were made.`,
  openOwnAndShared: "Open own and shared captures",
  uploadAndAnalyze: "Upload and analyze",
  attachLive: "Attach live",
  shareDeleteOwn: "Share, delete own",
  seeAllAuditLog: "See all, audit log",
  yes: "yes",
  no: "no",
} as const;
