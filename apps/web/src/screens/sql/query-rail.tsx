import { type ReactNode, useState } from "react";
import type { SqlTableInfo } from "@aglens/contract";
import { sqlTexts as texts } from "../../messages/sql.ts";
import { formatCount } from "../../ui/words.ts";
import { shortType } from "./completion.ts";
import type { ReadyQuery } from "@aglens/contract/ready-queries";
import styles from "./sql.module.css";

interface Props {
  readonly ready: readonly ReadyQuery[];
  readonly own: readonly ReadyQuery[];
  readonly tables: readonly SqlTableInfo[];
  /** Text of the editor. */
  readonly sql: string;
  readonly onRun: (sql: string) => void;
  readonly onForget: (title: string) => void;
  /** A link to another console. */
  readonly aside?: ReactNode;
}

/** Ready queries, the user's own queries, and the tables. */
export function QueryRail({ ready, own, tables, sql, onRun, onForget, aside }: Props): ReactNode {
  return (
    <nav className={styles.rail} aria-label={texts.queriesAndTables}>
      <h2>
        {texts.readyQueries} {aside}
      </h2>
      <ul>
        {ready.map((query) => (
          <li key={query.title}>
            <QueryButton query={query} sql={sql} onRun={onRun} />
          </li>
        ))}
      </ul>
      <h2>{texts.mine}</h2>
      {own.length === 0 ? <p>{texts.saveKeepsAQuery}</p> : null}
      <ul>
        {own.map((query) => (
          <li key={query.title}>
            <QueryButton query={query} sql={sql} onRun={onRun} />
            <button
              type="button"
              className={styles.forget}
              aria-label={texts.forget(query.title)}
              title={texts.forgetLabel}
              onClick={() => onForget(query.title)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <h2>
        {texts.tables} <small>{texts.rows}</small>
      </h2>
      <ul>
        {tables.map((table) => (
          <li key={table.name}>
            <TableColumns table={table} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function QueryButton({
  query,
  sql,
  onRun,
}: Pick<Props, "sql" | "onRun"> & { readonly query: ReadyQuery }): ReactNode {
  return (
    <button
      type="button"
      className={styles.query}
      aria-current={query.sql === sql ? "true" : undefined}
      onClick={() => onRun(query.sql)}
    >
      {query.title}
    </button>
  );
}

/** A table, which opens to its columns. */
function TableColumns({ table }: { readonly table: SqlTableInfo }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.query} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <code className="ink">{table.name}</code>
        <small>{formatCount(table.rows)}</small>
      </button>
      {isOpen ? (
        <dl className={styles.columns}>
          {table.columns.map(({ name, type, unit, about }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                {[shortType(type), unit, about].filter((part) => part !== null && part !== "").join(", ")}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </>
  );
}
