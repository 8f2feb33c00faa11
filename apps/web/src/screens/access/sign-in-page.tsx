import type { ReactNode } from "react";
import type { AccessState } from "@aglens/contract";
import { Page } from "../../frame/page.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { SignInWays } from "./sign-in.tsx";
import styles from "./sign-in.module.css";

interface Props {
  readonly state: AccessState;
  readonly onSignedIn: (state: AccessState) => void;
}

/**
 * The sign-in page replaces the requested page, and doesn't name it before the user is signed in. The address stays,
 * and opens after that.
 */
export function SignInPage({ state, onSignedIn }: Props): ReactNode {
  return (
    <Page title="Sign in" statusRight="Signing in is written to the audit log">
      <div className={styles.page}>
        <div>
          <h1>Sign in to AG Lens</h1>
          <p className={styles.lead}>
            {window.location.hostname}. After signing in the page that you asked for opens.
          </p>
          <SignInWays state={state} onSignedIn={onSignedIn} />
        </div>
        <aside className={styles.side} aria-label="Roles and links">
          <h2>Rights of each role</h2>
          <RoleTable />
          <h2>A link you were sent</h2>
          <p>
            Opens here without a role when its maker allows “anyone with the link”. It shows that capture
            only, and ends on its day.
          </p>
          <h2>Where the files are</h2>
          <p>{whereWords(state.keepDays)}</p>
        </aside>
      </div>
    </Page>
  );
}

function whereWords(keepDays: number | null): string {
  return keepDays === null
    ? "On this server, until a user deletes them."
    : `On this server. Kept ${keepDays === 1 ? "1 day" : `${keepDays} days`} after they were made.`;
}

const RIGHTS: readonly { readonly what: string; readonly from: number }[] = [
  { what: "Open own and shared captures", from: 0 },
  { what: "Upload and analyze", from: 1 },
  { what: "Attach live", from: 1 },
  { what: "Share, delete own", from: 1 },
  { what: "See all, audit log", from: 2 },
];
const ROLE_NAMES = ["Viewer", "Contributor", "Admin"];

function RoleTable(): ReactNode {
  return (
    <FigureTable<(typeof RIGHTS)[number]>
      className={styles.roles}
      rows={RIGHTS}
      rowKey={({ what }) => what}
      columns={[
        { id: "Right", isHeadHidden: true, cell: ({ what }) => what },
        ...ROLE_NAMES.map((id, index) => ({
          id,
          cell: ({ from }: (typeof RIGHTS)[number]) => (
            <>
              <span aria-hidden="true">{index >= from ? "✓" : "–"}</span>
              <span className="sr-only">{index >= from ? "yes" : "no"}</span>
            </>
          ),
        })),
      ]}
    />
  );
}
