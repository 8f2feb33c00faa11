import { createContext, type ReactNode, use } from "react";
import { Link } from "wouter";
import { definitionOf, type TermId } from "../messages/terms.ts";

/** Whether names lead to the guide. The report has no guide, and shows them as plain text. */
export const HasGuide = createContext(false);

interface TermProps {
  readonly "data-term": TermId;
  readonly "data-note": string | undefined;
  readonly "aria-description": string;
}

/**
 * Attributes by which an element shows the definition of its name while the pointer or the focus is on it
 * (`frame/term-tip.tsx`). @param note further text about this element
 */
export const termProps = (id: TermId, note?: string): TermProps => ({
  "data-term": id,
  "data-note": note,
  "aria-description": note === undefined ? definitionOf(id).sentence : `${definitionOf(id).sentence} ${note}`,
});

/** A figure. An uncertainty has its definition. */
export const FigureTerm = ({ children }: { readonly children: string }): ReactNode =>
  children.includes("±") ? <Term id="uncertainty">{children}</Term> : children;

/** A name with its definition, that leads to its section of the guide. */
export function Term({ id, children }: { readonly id: TermId; readonly children: ReactNode }): ReactNode {
  if (!use(HasGuide)) return children;
  return (
    <Link href={`/help/${definitionOf(id).help}`} className="term" {...termProps(id)}>
      {children}
    </Link>
  );
}
