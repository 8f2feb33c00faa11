/** Steps in before each write of the catalog in SQLite. */
import { DatabaseSync, StatementSync } from "node:sqlite";

const WRITE = /^(?:begin immediate|insert|update|delete|commit)\b/iu;

/**
 * @param step called before each statement that stores data, and at both ends of a transaction; the statement throws
 * its error
 * @returns a function that ends it
 */
export function beforeWrites(step: () => void): () => void {
  const statements = StatementSync.prototype;
  const files = DatabaseSync.prototype;
  // oxlint-disable-next-line typescript/unbound-method -- each is called on the statement or the database that it was called on
  const before = { run: statements.run, all: statements.all, exec: files.exec };
  const stepBefore = (text: string): void => {
    if (WRITE.test(text)) step();
  };
  statements.run = function (...given: readonly unknown[]) {
    stepBefore(this.sourceSQL);
    return Reflect.apply(before.run, this, given);
  };
  statements.all = function (...given: readonly unknown[]) {
    stepBefore(this.sourceSQL);
    return Reflect.apply(before.all, this, given);
  };
  files.exec = function (text) {
    stepBefore(text);
    before.exec.call(this, text);
  };
  return () => {
    Object.assign(statements, { run: before.run, all: before.all });
    files.exec = before.exec;
  };
}
