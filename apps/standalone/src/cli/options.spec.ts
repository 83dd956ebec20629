import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addUpOptions, argumentsOf } from './options.ts';

/** Creates `up` with an additional option that only its declaration knows. */
const declared = (): Command => addUpOptions(new Command('up')).option('--added <text>').option('--bare');
const parse = (args: readonly string[]): Command => declared().parse([...args], { from: 'user' });

describe('up in the background', () => {
  const given = ['--data', 'some folder', '--port=9000', '--cluster', '--gateways', '3', '--detach', '--json'];

  it('gets every option that was given or has a default, newly declared ones included', () => {
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

  it('gets changed values and omits removed options', () => {
    const args = argumentsOf(parse(given), { data: '/elsewhere', detach: undefined, json: undefined });
    expect(parse(args).opts()).toMatchObject({ data: '/elsewhere', port: 9000, cluster: true });
    expect(args).not.toContain('--detach');
    expect(args).not.toContain('--json');
  });
});
