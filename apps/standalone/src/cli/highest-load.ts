import { loadavg } from 'node:os';

/** Keeps the highest load average (1 min) between `begin` and `stop`. */
export class HighestLoad {
  private highest = 0;
  private timer: NodeJS.Timeout | undefined;

  begin(): void {
    const look = (): void => {
      this.highest = Math.max(this.highest, loadavg()[0]!);
    };
    look();
    this.timer = setInterval(look, 5_000).unref();
  }

  /** Returns the highest value seen. */
  stop(): number {
    clearInterval(this.timer);
    return this.highest;
  }
}
