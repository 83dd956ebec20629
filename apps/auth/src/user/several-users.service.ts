import { Injectable } from '@nestjs/common';
import { addUser, type addUsers, type RouteInput, type RouteReturn } from '@carillon/contracts';
import { errorText } from '@carillon/contracts/errors';
import { createLogger } from '@carillon/observability';
import { Database } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { auditedTransaction, auditRefusal, fromUnknown, validate, type AuditNote } from '@carillon/service';
import { UserService } from './user.service.ts';

const log = createLogger('user');
type Row = RouteReturn<typeof addUsers>['rows'][number];

/** Adds several users in one call. Each is a separate change with the rules and the log entry of a single one. */
@Injectable()
export class SeveralUsers {
  constructor(
    private readonly database: Database,
    private readonly users: UserService,
  ) {}

  async add({ users, ...alike }: RouteInput<typeof addUsers>['body']): Promise<Row[]> {
    const rows: Row[] = [];
    for (const user of users) rows.push(await this.addOne({ ...alike, ...user }));
    return rows;
  }

  private async addOne(fields: { username: string }): Promise<Row> {
    const note: AuditNote = { objectName: fields.username };
    try {
      const { body } = validate(addUser, { params: {}, query: {}, body: fields });
      const { id, username, email } = await auditedTransaction(this.database, addUser.audit, note, () =>
        this.users.add(body),
      );
      return { user: { id, username, email }, error: null, msg: null, path: null };
    } catch (error) {
      const failure = fromUnknown(error);
      if (failure.status >= 500) log.error({ err: error }, 'a user was not added');
      await auditRefusal(this.database, addUser.audit, note, error);
      const {
        error: key,
        path,
        values,
      } = failure.fields[0] ?? { error: failure.key, path: null, values: failure.values };
      return { user: null, error: key, msg: errorText(key, context().language, values), path };
    }
  }
}
