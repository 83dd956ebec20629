/** What cannot be done because of the caller; `status` is the HTTP status of the answer. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
