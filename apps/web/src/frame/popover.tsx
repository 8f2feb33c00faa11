import { type ReactNode, useId, useRef } from "react";
import styles from "./popover.module.css";

interface Props {
  /** Content of the button. */
  readonly label: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

const BELOW_PX = 4;
const EDGE_PX = 8;

/**
 * A button that shows, under it, the parts that its line has no room for: opens on a press, closes on Esc and on a
 * press outside of it.
 */
export function Popover({ label, className, children }: Props): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const place = (): void => {
    if (button.current === null || panel.current === null) return;
    const { left, bottom } = button.current.getBoundingClientRect();
    const rightmost = window.innerWidth - panel.current.offsetWidth - EDGE_PX;
    panel.current.style.left = `${Math.max(EDGE_PX, Math.min(left, rightmost))}px`;
    panel.current.style.top = `${bottom + BELOW_PX}px`;
  };
  return (
    <>
      <button ref={button} type="button" className={className} popoverTarget={id}>
        {label}
      </button>
      <div ref={panel} id={id} popover="auto" className={styles.popover} onToggle={place}>
        {children}
      </div>
    </>
  );
}
