import type { ReactNode } from "react";
import { Link } from "wouter";
import { useTheme } from "../state/use-theme.ts";
import { Logo, MoonIcon } from "./icons.tsx";

/** The top bar: logo, what is open, and `children` at the right before the theme button. */
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
    <header className="app-bar">
      <Link href="/" className="brand" aria-label="AG Lens, all captures">
        <Logo />
        <span>AG Lens</span>
      </Link>
      {what === undefined ? null : <div className="what">{what}</div>}
      {tabs}
      <div className="app-actions">
        {children}
        <button
          type="button"
          className="icon-button"
          aria-label="Light or dark"
          title="Light or dark (Shift+D)"
          onClick={toggle}
        >
          <MoonIcon size={15} />
        </button>
      </div>
    </header>
  );
}
