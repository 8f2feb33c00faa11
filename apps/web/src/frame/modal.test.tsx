import { setTimeout as pause } from "node:timers/promises";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { expect, test } from "vitest";
import { useKeys } from "../ui/keys.ts";
import { Modal } from "./modal.tsx";

function Page(): ReactNode {
  const [open, setOpen] = useState(false);
  useKeys({ help: () => setOpen(true) });
  return (
    <main id="content" tabIndex={-1}>
      <button type="button" onClick={() => setOpen(true)}>
        Share
      </button>
      <Modal open={open} onOpenChange={setOpen} title="Share this view">
        <p>inside</p>
      </Modal>
    </main>
  );
}

async function openAndLeave(open: () => void): Promise<void> {
  act(open);
  const dialog = await screen.findByRole("dialog");
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  fireEvent.keyDown(document.activeElement!, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
}

test("Escape gives the focus back to the control that opened the dialog", async () => {
  render(<Page />);
  const button = screen.getByRole("button", { name: "Share" });
  await openAndLeave(() => {
    button.focus();
    button.click();
  });
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test("Escape leaves the focus to the content where nothing had it", async () => {
  render(<Page />);
  await openAndLeave(() => void fireEvent.keyDown(screen.getByRole("main"), { key: "?" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("main")));
});

test("what somebody focuses right after Escape keeps the focus", async () => {
  render(<Page />);
  const button = screen.getByRole("button", { name: "Share" });
  act(() => {
    button.focus();
    button.click();
  });
  await screen.findByRole("dialog");
  fireEvent.keyDown(document.activeElement!, { key: "Escape" });
  const content = document.getElementById("content");
  expect(screen.queryByRole("dialog")).toBeNull();
  content?.focus();
  await pause(20);
  expect(document.activeElement).toBe(content);
});
