/** A secondary of the present primary. */
export interface Secondary {
  /** availability_replica_id; empty while neither the caller nor an event has named it. */
  id: string;
  /** Index of the attached replica; -1 when it is only known from the primary's events. */
  replica: number;
  /** Number in the run, as in the keys of its lanes; stays when the roles change. */
  readonly number: number;
}

/** The secondaries of a run. A number is never assigned to another replica. */
export class Secondaries {
  /** Secondaries of the present primary, in the order of their numbers. */
  readonly present: Secondary[] = [];
  readonly #names: string[] = [];

  /** Number of secondaries so far. */
  get count(): number {
    return this.#names.length;
  }

  /** Index in `present`, added when it is new. */
  indexOf(id: string, replica: number): number {
    const known = this.present.findIndex(
      (each) => (replica >= 0 && each.replica === replica) || (id !== "" && each.id === id),
    );
    if (known >= 0) {
      const each = this.present[known];
      if (each.id === "" && id !== "") this.#rename(each, id);
      // Its own events identified an attached replica.
      if (replica >= 0) each.replica = replica;
      return known;
    }
    const name = id === "" ? `replica ${replica}` : id;
    let number = this.#names.indexOf(name);
    if (number < 0) number = this.#names.push(name) - 1;
    return this.present.push({ id, replica, number }) - 1;
  }

  /** Roles changed: the present secondaries are not known any more. */
  restart(): void {
    this.present.length = 0;
  }

  #rename(secondary: Secondary, id: string): void {
    secondary.id = id;
    this.#names[secondary.number] = id;
  }
}
