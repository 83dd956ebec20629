interface Asked<T, R> {
  what: T;
  answered(answer: R): void;
  failed(error: unknown): void;
}

/** Most requests in one query. */
const mostAtOnce = 500;

/**
 * Joins all requests that arrive while a company's last query is running into the next one. Otherwise a fleet that
 * starts or returns at once would wait for ten thousand transactions.
 */
export class Together<T, R> {
  private readonly waiting = new Map<string, Asked<T, R>[]>();

  /** `ask` returns a result for each request, in order. */
  constructor(private readonly ask: (companyId: string, all: readonly T[]) => Promise<readonly R[]>) {}

  get(companyId: string, what: T): Promise<R> {
    return new Promise((answered, failed) => {
      const asked = { what, answered, failed };
      const others = this.waiting.get(companyId);
      if (others) others.push(asked);
      else {
        const all = [asked];
        this.waiting.set(companyId, all);
        void this.work(companyId, all);
      }
    });
  }

  private async work(companyId: string, waiting: Asked<T, R>[]): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.splice(0, mostAtOnce);
      try {
        const answers = await this.ask(
          companyId,
          some.map(({ what }) => what),
        );
        for (const [i, one] of some.entries()) one.answered(answers[i]!);
      } catch (error) {
        for (const one of some) one.failed(error);
      }
    }
    this.waiting.delete(companyId);
  }
}
