import { keepFirstPassword, type RunState, type Secrets } from './data-folder.ts';

/** Prints what `up` does, for a person or with `--json` for a script. */
export class UpPrinter {
  private readonly json: boolean;
  private readonly folder: string;

  constructor(json: boolean, folder: string) {
    this.json = json;
    this.folder = folder;
  }

  /** Prints the next step. A script gets no steps. */
  readonly step = (text: string): void => this.stepLines([text]);

  /** Prints the steps from the log of another process. The password is printed only at the terminal that started it. */
  repeat(log: string): void {
    const steps = log.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.slice(2)] : []));
    this.stepLines(steps.filter((step) => !step.startsWith('Password')));
  }

  /**
   * Prints on standard output how to reach the installation. Output that is no terminal is stored (the journal of a
   * unit, the log of a container), so the password goes into a file that only its owner can read. With JSON the script
   * gets the password.
   */
  announce(how: string, { url, mqtt, phones }: RunState, { admin, client }: Secrets): void {
    process.stdout.write(
      this.json
        ? `${JSON.stringify({ url, mqtt, phones, admin, client })}\n`
        : [
            '',
            `Carillon ${how}.`,
            '',
            `  Console   ${url}`,
            `  Devices   ${mqtt}`,
            ...(phones === undefined ? [] : [`  Phones    ${phones}`]),
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
