import { keepFirstPassword, type RunState, type Secrets } from './data-folder.ts';

/** Where `up` tells a person, or with `--json` a script, what it does. */
export class UpPrinter {
  private readonly json: boolean;
  private readonly folder: string;

  constructor(json: boolean, folder: string) {
    this.json = json;
    this.folder = folder;
  }

  /** Tells the next step. A script is told none. */
  readonly step = (text: string): void => this.stepLines([text]);

  /** Repeats what another process wrote with `step`. The password is for the terminal of the person who began. */
  repeat(log: string): void {
    const steps = log.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.slice(2)] : []));
    this.stepLines(steps.filter((step) => !step.startsWith('Password')));
  }

  /**
   * Tells how the installation is reached, on standard output. What is no terminal keeps what it is told (the journal
   * of a unit, the log of a container), so the password goes into a file that its user alone reads. A script that asked
   * for JSON has it there.
   */
  announce(how: string, { url, mqtt }: RunState, { admin, client }: Secrets): void {
    process.stdout.write(
      this.json
        ? `${JSON.stringify({ url, mqtt, admin, client })}\n`
        : [
            '',
            `Carillon ${how}.`,
            '',
            `  Console   ${url}`,
            `  Devices   ${mqtt}`,
            `  Name      ${admin.username}`,
            `  Password  ${process.stdout.isTTY ? admin.password : `in ${keepFirstPassword(this.folder, admin.password)}`}`,
            '',
            '',
          ].join('\n'),
    );
  }

  private stepLines(steps: readonly string[]): void {
    if (!this.json) process.stderr.write(steps.map((step) => `  ${step}\n`).join(''));
  }
}
