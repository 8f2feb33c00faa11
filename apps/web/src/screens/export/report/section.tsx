import type { ReactNode } from "react";

interface Props {
  /** Anchor of the heading. */
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}

/** A part of the report under its heading. */
export function Section({ id, title, note, children }: Props): ReactNode {
  return (
    <section id={id}>
      <h2>
        {title}
        {note === undefined ? null : <small>{note}</small>}
      </h2>
      {children}
    </section>
  );
}
