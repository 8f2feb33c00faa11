/** A thread that ranks columns and finds the figures of their bins, one column after the other, until it is ended. */
import { prepareColumn } from "@aglens/ag-model/query";
import { starter } from "../../threads/inside.ts";
import type { PrepareMessages } from "./prepare-thread.ts";

export function run(): void {
  const { send, onMessages } = starter<PrepareMessages>();
  onMessages((column) => {
    const prepared = prepareColumn(column);
    const { rows, group, counts, sums } = prepared.ranks;
    const columns = [rows, group, counts, sums, ...prepared.levels.flatMap(({ max, p50 }) => [max, p50])];
    send(
      prepared,
      columns.map(({ buffer }) => buffer as ArrayBuffer),
    );
  });
}
