/** The thread of one run: decodes the rows and keeps the picture, away from the thread that reads the network. */
import { LiveModel } from "@aglens/ag-model/live";
import { starter } from "../../threads/inside.ts";
import type { PictureMessages } from "./picture-thread.ts";

export function run(): void {
  const { data, send, onMessages } = starter<PictureMessages>();
  const model = new LiveModel(data.replicas, data.mostBytes);

  const sendCounts = (): void => {
    const counts = model.takeCounts();
    if (counts.length > 0) send({ kind: "counts", counts });
  };

  onMessages((message) => {
    switch (message.kind) {
      case "row": {
        const { replica, row } = message;
        return send({ kind: "read", replica, bytes: row.data.byteLength, report: model.push(replica, row) });
      }
      case "replica":
        return model.addReplica(message.replica);
      case "topology":
        return model.setTopology(message.topology);
      case "role":
        return model.setRole(message.replica, message.role, message.replicaId);
      case "clock":
        return model.setClockOffset(message.replica, message.aheadUs, message.boundUs);
      case "dispatch":
        return model.setDispatch(message.replica, message.dispatchUs);
      case "watch":
        return message.isWatched
          ? model.watchDatabase(message.database)
          : model.unwatchDatabase(message.database);
      case "gap":
        return model.gap(message.replica, message.reason);
      case "step":
        send({ kind: "picture", picture: model.step(message.nowTicks) });
        return sendCounts();
      case "whole":
        return send({ kind: "whole", picture: model.whole() });
      default:
        model.step(message.nowTicks);
        model.countRest();
        sendCounts();
        return send({ kind: "whole", picture: model.whole() });
    }
  });
}
