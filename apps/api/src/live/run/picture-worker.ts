/** The thread of one run: decodes the rows and keeps the picture, away from the thread that reads the network. */
import { LiveModel } from "@aglens/ag-model/live";
import type { LiveModelReplica } from "@aglens/ag-model/live";
import { onMessages, tell as send, threadData } from "../../threads/inside.ts";
import type { FromPicture, ToPicture } from "./picture-thread.ts";

const model = new LiveModel(threadData as readonly LiveModelReplica[]);

function tell(message: FromPicture): void {
  send(message);
}

onMessages((received) => {
  const message = received as ToPicture;
  switch (message.kind) {
    case "row": {
      const { replica, row } = message;
      return tell({ kind: "read", replica, bytes: row.data.byteLength, report: model.push(replica, row) });
    }
    case "topology":
      return model.setTopology(message.topology);
    case "role":
      return model.setRole(message.replica, message.role, message.replicaId);
    case "gap":
      return model.gap(message.replica, message.reason);
    case "step":
      return tell({ kind: "picture", picture: model.step(message.nowTicks) });
    default:
      return tell({ kind: "whole", picture: model.whole() });
  }
});
