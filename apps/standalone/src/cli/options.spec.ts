import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addUpOptions, argumentsOf } from './options.ts';

/** `up` with an option that nothing but its declaration knows. */
const declared = (): Command => addUpOptions(new Command('up')).option('--added <text>').option('--bare');
const parse = (args: readonly string[]): Command => declared().parse([...args], { from: 'user' });

describe('up in the background is started with', () => {
  const given = ['--data', 'some folder', '--port=9000', '--cluster', '--gateways', '3', '--detach', '--json'];

  it('every option that was given or has a default, one that was added to the declaration among them', () => {
    const command = parse([...given, '--added', 'a b', '--bare', '--reboot-ms', '0']);
    const again = parse(argumentsOf(command, {}));
    expect(again.opts()).toEqual(command.opts());
    expect(again.opts()).toMatchObject({
      port: 9000,
      gateways: 3,
      added: 'a b',
      bare: true,
      rebootMs: 0,
      devices: 200,
    });
  });

  it('another value where it is changed, and without what is taken out', () => {
    const args = argumentsOf(parse(given), { data: '/elsewhere', detach: undefined, json: undefined });
    expect(parse(args).opts()).toMatchObject({ data: '/elsewhere', port: 9000, cluster: true });
    expect(args).not.toContain('--detach');
    expect(args).not.toContain('--json');
  });
});
