import { Controller } from '@nestjs/common';
import { phoneCommand, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { afterCommit } from '@carillon/persistence';
import { PhoneCommandLoop } from './phone-command.loop.ts';
import { takeCommands } from './phone-command.queries.ts';
import { fileIn } from './phone-file.ts';

/** Takes the commands for phones that have a session over HTTP. */
@Controller()
export class PhoneCommandConsumer {
  constructor(private readonly loop: PhoneCommandLoop) {}

  @On(phoneCommand, ['command'])
  async command(messages: Message<typeof phoneCommand>[]): Promise<void> {
    const commands = messages.flatMap(({ at, version, data, companyId }) =>
      data && companyId
        ? [
            {
              id: data.id,
              companyId,
              deviceId: data.deviceId,
              mac: data.mac,
              ownerEpoch: data.ownerEpoch,
              action: data.action,
              // An action that cannot cut a call has no such wish.
              whenIdle: data.args['whenIdle'] === true,
              taskId: data.taskId ?? null,
              file: fileIn(data.action, data.args),
              // A process of the release before sends no time of its database.
              at: version ?? at,
              expiresAt: data.expiresAt,
            },
          ]
        : [],
    );
    // The same command twice in a batch: one statement cannot change a row twice.
    await takeCommands([...new Map(commands.map((command) => [command.id, command])).values()]);
    afterCommit(() => this.loop.wake());
  }
}
