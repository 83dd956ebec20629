export interface TurnLimits {
  /** Most turns at the same time. */
  atOnce: number;
  /** Most pieces of work of one group in a turn. */
  together: number;
  /** Most pieces of work that run or wait, of all and of one owner. */
  most: number;
  mostOfOne: number;
}

interface Piece {
  /** Pieces of a group cost little more than one when they run in the same turn. */
  group: string | undefined;
  hasBegun: boolean;
  begin: (turn: Turn) => void;
}
interface Turn {
  left: number;
}

/** Runs work of many owners, a few turns at a time. The owners take turns, so that one with a long queue delays nobody. */
export class Turns {
  private readonly queues = new Map<string, Piece[]>();
  private readonly groups = new Map<string, Set<Piece>>();
  private readonly held = new Map<string, number>();
  private total = 0;
  private running = 0;

  constructor(private readonly limits: TurnLimits) {}

  /**
   * Returns the result of the work; undefined, without beginning it, when its owner or all have too much already. Work
   * that waits begins at the latest in the turn of its owner, and earlier in one of its group.
   */
  run<T>(owner: string, work: () => Promise<T>, group?: string): Promise<T> | undefined {
    const { atOnce, most, mostOfOne } = this.limits;
    const own = this.held.get(owner) ?? 0;
    if (this.total >= most || own >= mostOfOne) return undefined;
    this.held.set(owner, own + 1);
    this.total++;
    if (this.running < atOnce) {
      this.running++;
      return this.finish(owner, { left: 1 }, work);
    }
    return new Promise<Turn>((begin) => this.wait(owner, { group, hasBegun: false, begin })).then((turn) =>
      this.finish(owner, turn, work),
    );
  }

  private wait(owner: string, piece: Piece): void {
    const queue = this.queues.get(owner);
    if (queue) queue.push(piece);
    else this.queues.set(owner, [piece]);
    if (piece.group === undefined) return;
    const group = this.groups.get(piece.group) ?? new Set();
    this.groups.set(piece.group, group.add(piece));
  }

  private async finish<T>(owner: string, turn: Turn, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.total--;
      const left = this.held.get(owner)! - 1;
      if (left > 0) this.held.set(owner, left);
      else this.held.delete(owner);
      turn.left--;
      if (turn.left === 0) {
        this.running--;
        this.next();
      }
    }
  }

  private next(): void {
    const piece = this.first();
    if (!piece) return;
    this.running++;
    const pieces = [piece];
    for (const other of this.groups.get(piece.group ?? '') ?? []) {
      if (pieces.length >= this.limits.together) break;
      if (other !== piece) pieces.push(other);
    }
    const turn = { left: pieces.length };
    for (const one of pieces) this.begin(one, turn);
  }

  private begin(piece: Piece, turn: Turn): void {
    piece.hasBegun = true;
    const group = this.groups.get(piece.group ?? '');
    group?.delete(piece);
    if (group?.size === 0) this.groups.delete(piece.group ?? '');
    piece.begin(turn);
  }

  /** Takes the oldest piece that waits off the queue of the owner whose turn it is. */
  private first(): Piece | undefined {
    for (const [owner, queue] of this.queues) {
      this.queues.delete(owner);
      // What began with its group is passed over.
      const from = queue.findIndex(({ hasBegun }) => !hasBegun);
      if (from < 0) continue;
      const left = queue.slice(from + 1);
      // Its owner goes behind all others.
      if (left.length > 0) this.queues.set(owner, left);
      return queue[from];
    }
    return undefined;
  }
}
