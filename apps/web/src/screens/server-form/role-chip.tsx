import type { ReactNode } from "react";
import type { LiveReplicaProposal } from "@aglens/contract";
import { attachTexts as texts } from "../../messages/attach.ts";
import { Chip } from "../../ui/controls.tsx";

/** Role and availability mode of a replica. */
export function RoleChip({ role, commitMode }: Pick<LiveReplicaProposal, "role" | "commitMode">): ReactNode {
  if (role === "unknown") return <Chip dashed>{texts.roleUnknownLabel}</Chip>;
  return <Chip place={role}>{role === "primary" ? texts.primary : texts.secondary(commitMode)}</Chip>;
}
