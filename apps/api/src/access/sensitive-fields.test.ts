import { expect, test } from "vitest";
import { withoutSensitiveFields } from "./sensitive-fields.ts";

test("statements, hosts and logins leave an answer, everything else stays", () => {
  const answer = {
    row: 1,
    events: [
      {
        name: "log_flush_start",
        fields: { log_block_id: "5", statement: "SELECT secret" },
        actions: { sql_text: "SELECT secret", Client_Hostname: "PC7", username: "ann", session_id: 51 },
      },
    ],
    nextInTime: null,
  };
  expect(withoutSensitiveFields(answer)).toEqual({
    row: 1,
    events: [{ name: "log_flush_start", fields: { log_block_id: "5" }, actions: { session_id: 51 } }],
    nextInTime: null,
  });
});
