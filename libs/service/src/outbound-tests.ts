import { context } from '@carillon/tenancy';
import { fail } from './failure.ts';

/** Most tests of other servers at the same time, for one company and for the process. */
const most = { company: 2, process: 8 } as const;
/** Seconds after which a caller may try again. */
const againAfter = 5;

/** Limits tests of servers outside, which take as long as a silent server lets them. */
export class OutboundTests {
  private readonly running = new Map<string, number>();
  private count = 0;

  /** Runs a test, or throws 429 when too many are running. */
  async run<T>(test: () => Promise<T>): Promise<T> {
    const { companyId } = context();
    const own = this.running.get(companyId) ?? 0;
    if (own >= most.company || this.count >= most.process) fail('common.tooMany', { seconds: againAfter });
    this.running.set(companyId, own + 1);
    this.count++;
    try {
      return await test();
    } finally {
      this.count--;
      const left = this.running.get(companyId)! - 1;
      if (left > 0) this.running.set(companyId, left);
      else this.running.delete(companyId);
    }
  }
}

/** The tests of this process: of directories, mail servers, webhooks and redirect services. */
export const outboundTests = new OutboundTests();
