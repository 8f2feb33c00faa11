import fc from "fast-check";
import { expect, test } from "vitest";
import { statementText } from "./statement-text.ts";

test.each([
  ["UPDATE t\r\n\tSET a = 1.5,  b = 'x''y' WHERE id=42", "UPDATE t SET a = ?, b = ? WHERE id=?"],
  ["INSERT t1 VALUES (1, N'Smith', 0xAB12, -3)", "INSERT t1 VALUES (?, -?)"],
  ["SELECT * FROM [Order 7] WHERE c = @p1", "SELECT * FROM [Order 7] WHERE c = @p1"],
  // A bracket in a name is doubled.
  ["UPDATE [o]]'x] SET a = 'secret'", "UPDATE [o]]'x] SET a = ?"],
  ["SELECT a FROM [b]] [c] WHERE d = 7", "SELECT a FROM [b]] [c] WHERE d = ?"],
  ["SELECT a FROM t WHERE id=5AND ssn=123456789AND b=1", "SELECT a FROM t WHERE id=?AND ssn=?AND b=?"],
  ["SELECT 1.5e3FROM t2 WHERE x2y = 0xFFAND", "SELECT ?FROM t2 WHERE x2y = ?ND"],
  // With QUOTED_IDENTIFIER OFF it is a literal.
  ['SELECT a FROM t WHERE b = "Smith ""x"" and son" AND c = 1', "SELECT a FROM t WHERE b = ? AND c = ?"],
  ["SELECT a /* a /* b */ secret */ FROM t", "SELECT a FROM t"],
  ["SELECT a /* don't */ FROM t /*/ b */", "SELECT a FROM t"],
  ["SELECT '/*' AS a, b -- /* c\nFROM t", "SELECT ? AS a, b FROM t"],
  ["SELECT 1 -- by Smith\nFROM t /* 'secret' */ WHERE x IN (1,2, 3)", "SELECT ? FROM t WHERE x IN (?)"],
  // The text of a batch may be cut anywhere.
  ["SELECT 'cut in the mid", "SELECT ?"],
  ["SELECT 1 /* cut in", "SELECT ?"],
  ["SELECT 1 /* cut /* in */ the mid", "SELECT ?"],
  ['SELECT "cut in', "SELECT ?"],
  ["EXEC dbo.Proc_2 $12.5, 1e-5", "EXEC dbo.Proc_2 ?"],
  ["", ""],
])("%j is %j", (sql, line) => {
  expect(statementText(sql)).toBe(line);
});

test("no literal of a statement is left, and no line is long", () => {
  const word = fc.stringMatching(/^[a-z]{6,12}$/u);
  fc.assert(
    fc.property(word, fc.integer({ min: 1e8, max: 2e9 }), fc.nat(300), (secret, number, filler) => {
      const sql = `SELECT a FROM t WHERE b = '${secret}' AND c = ${number} AND d = '${"y".repeat(filler)}' --${secret}`;
      const line = statementText(sql);
      expect(line).not.toContain(secret);
      expect(line).not.toContain(String(number));
      expect(line.length).toBeLessThanOrEqual(200);
    }),
  );
});

test("a long batch of quotes takes no long time", () => {
  const started = performance.now();
  statementText("'".repeat(1_000_000));
  statementText("/*".repeat(500_000));
  expect(performance.now() - started).toBeLessThan(1_000);
});
