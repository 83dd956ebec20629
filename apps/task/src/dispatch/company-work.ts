type Work = () => Promise<void>;

/**
 * Runs the work of all companies, one piece after the other. The companies take turns, so that much work of one company
 * delays another by one piece only.
 */
export class CompanyWork {
  /** By company, in the order of their turns. */
  private readonly queues = new Map<string, Work[]>();
  private running: Promise<void> | undefined;

  /** Adds a piece, which must not fail. Resolves when it has run. */
  add(companyId: string, work: Work): Promise<void> {
    return new Promise((resolve) => {
      const piece = () => work().finally(resolve);
      const queue = this.queues.get(companyId);
      if (queue) queue.push(piece);
      else this.queues.set(companyId, [piece]);
      this.running ??= this.run();
    });
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    // The caller adds before anything runs.
    await Promise.resolve();
    for (let next = this.next(); next !== undefined; next = this.next()) await next();
    this.running = undefined;
  }

  /** Takes the first company's next piece, and puts the company at the end. */
  private next(): Work | undefined {
    const [first] = this.queues;
    if (first === undefined) return undefined;
    const [companyId, queue] = first;
    const piece = queue.shift();
    this.queues.delete(companyId);
    if (queue.length > 0) this.queues.set(companyId, queue);
    return piece;
  }
}
