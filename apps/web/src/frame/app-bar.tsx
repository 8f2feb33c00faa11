import type { ReactNode } from "react";
import { Link } from "wouter";
import { frameTexts as texts } from "../messages/frame.ts";
import { useAccount } from "../state/account.ts";
import { useTheme } from "../state/use-theme.ts";
import { IconButton } from "./icon-button.tsx";
import { Logo, MoonIcon } from "./icons.tsx";
import styles from "./app-bar.module.css";

/** The top bar: logo, title of the page, and `children` at the right before the theme button. */
export function AppBar({
  what,
  tabs,
  children,
}: {
  what?: ReactNode;
  tabs?: ReactNode;
  children?: ReactNode;
}): ReactNode {
  const { toggle } = useTheme();
  return (
    <header className={styles.bar}>
      <Link href="/" className={styles.brand} aria-label={texts.agLensAllCaptures}>
        <Logo />
        <span>{texts.agLens}</span>
      </Link>
      {what === undefined ? null : <div className={styles.what}>{what}</div>}
      {tabs}
      <div className={styles.actions}>
        {children}
        <AccountMenu />
        <IconButton label={texts.lightOrDark} tip={texts.lightOrDark} onClick={toggle}>
          <MoonIcon size={15} />
        </IconButton>
      </div>
    </header>
  );
}

/** The signed-in user and the sign-out button; nothing on a server without sign-in. */
function AccountMenu(): ReactNode {
  const account = useAccount();
  if (account === null) return null;
  const { name, role } = account.person;
  return (
    <>
      {role === "admin" ? <TextLink href="/status">{texts.status}</TextLink> : null}
      <span className={styles.person} title={texts.userWithRole(name, role)}>
        {name}
      </span>
      <TextButton onClick={account.signOut}>{texts.signOut}</TextButton>
    </>
  );
}

/** A button of the app bar that is words only. */
export function TextButton(props: { readonly onClick: () => void; readonly children: ReactNode }): ReactNode {
  return <button type="button" className={styles.textButton} {...props} />;
}

/** A link that looks like one. */
export function TextLink(props: { readonly href: string; readonly children: ReactNode }): ReactNode {
  return <Link className={styles.textButton} {...props} />;
}
