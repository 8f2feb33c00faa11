import { Buffer } from "node:buffer";
import { basename } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { CONDITIONS } from "../fixtures/world/conditions.ts";
import { simulateWorld } from "../fixtures/world/world.ts";

/** Analyzes a simulated capture with other names in its topologies. @returns the path of its overview */
async function openWith(
  page: Page,
  condition: string,
  renamed: readonly (readonly [RegExp, string])[],
): Promise<string> {
  const { options, expected } = CONDITIONS.find(({ name }) => name === condition)!.build(9);
  const { files } = simulateWorld(options, condition, expected);
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(
    files.map(({ path, bytes }) => ({
      name: basename(path),
      mimeType: "application/octet-stream",
      buffer: path.endsWith(".xml")
        ? Buffer.from(withNames(Buffer.from(bytes).toString(), renamed))
        : Buffer.from(bytes),
    })),
  );
  await page.getByRole("button", { name: /^Analy[sz]e/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
  return new URL(page.url()).pathname;
}

const withNames = (xml: string, renamed: readonly (readonly [RegExp, string])[]): string =>
  renamed.reduce((text, [from, to]) => text.replaceAll(from, to), xml);

interface Shown {
  readonly text: string;
  /** The tooltip has all of it. */
  readonly hasTitle: boolean;
  /** Its last letter is within all that clip it. */
  readonly hasEnd: boolean;
}

/** Names on the page that are cut, by any method. */
const cutNames = (page: Page, names: string): Promise<Shown[]> =>
  page.evaluate((pattern) => {
    const isName = new RegExp(pattern, "u");
    const isCut = (element: Element): boolean => element.scrollWidth > element.clientWidth;
    return [...document.querySelectorAll<HTMLElement>("#root *")].flatMap((element) => {
      const text = element.textContent ?? "";
      const isMiddle = element.classList.contains("middle-ellipsis");
      if (!isName.test(text) || element.getBoundingClientRect().width === 0) return [];
      const shown = element.dataset["cut"];
      if (isMiddle) {
        if (shown === undefined) return [];
        const [, end = ""] = shown.split("…");
        const context = document.createElement("canvas").getContext("2d")!;
        context.font = getComputedStyle(element).font;
        const { left, width } = element.getBoundingClientRect();
        const right = left + context.measureText(shown).width;
        let edge = left + width;
        for (let box = element.parentElement; box !== null; box = box.parentElement)
          if (getComputedStyle(box).overflowX !== "visible")
            edge = Math.min(edge, box.getBoundingClientRect().right);
        return [
          {
            text,
            hasTitle: element.title !== "",
            hasEnd: end.length > 1 && text.endsWith(end) && right <= edge + 1,
          },
        ];
      }
      const isEnd = getComputedStyle(element).textOverflow === "ellipsis" && isCut(element);
      return isEnd && element.querySelector(".middle-ellipsis") === null
        ? [{ text, hasTitle: true, hasEnd: false }]
        : [];
    });
  }, names);

for (const { condition, renamed, names } of [
  {
    condition: "two_databases_same_block_ids",
    renamed: [
      [/Sales1/gu, "Database number one AG14 A"],
      [/Sales2/gu, "Database number one AG14 B"],
    ] as const,
    names: "^.{0,40}Database number one AG14 [AB]$",
  },
  {
    condition: "four_secondaries",
    renamed: [[/NODE(\d)/gu, "CONTOSO-PROD-SQLNODE-EAST-$1"]] as const,
    names: "^.{0,20}CONTOSO-PROD-SQLNODE-EAST-[1-5](?:'s ack)?$",
  },
]) {
  test(`names of ${condition} that differ at the end are cut in the middle`, async ({ page }) => {
    const path = await openWith(page, condition, renamed);
    let cut = 0;
    for (const width of [1024, 1440])
      for (const tab of ["", "/timeline", "/sequence", "/distribution"]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${path}${tab}`);
        await expect(page.getByRole("region", { name: "Replicas", exact: true })).toBeVisible();
        await page.waitForLoadState("networkidle");
        const found = await cutNames(page, names);
        cut += found.length;
        expect
          .soft(
            found.filter(({ hasEnd, hasTitle }) => !hasEnd || !hasTitle),
            `${width} ${tab}`,
          )
          .toEqual([]);
      }
    expect(cut).toBeGreaterThan(4);
  });
}
