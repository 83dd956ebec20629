import { expect } from 'vitest';
import {
  addConfigFile,
  addUser,
  createClient,
  getConfigFileContent,
  getDeviceExport,
  getDeviceExportFile,
  listOrderChannels,
  listRoles,
  type Client,
} from '@carillon/contracts';
import { addActiveChannel, eventually, rowsOfSheet } from '@carillon/testing';
import { logIn, type Platform } from '@carillon/testing/platform';

/** A company of the tree, with its own session. */
export interface Member {
  companyId: string;
  call: Client;
  authorization: string;
  /** Events of the live stream, oldest first. */
  told: { kind: string; ids: string[] | 'many' }[];
  /** The company's only user; only the operator's company has more. */
  username?: string;
}

/** Reads the live stream like an open browser until the signal aborts. */
export async function watch({ ready }: Platform, member: Member, signal: AbortSignal): Promise<void> {
  const response = await fetch(`${ready.url}/api/f/gateway/live`, {
    headers: { 'carillon-auth': member.authorization },
    signal,
  });
  expect(response.status).toBe(200);
  void (async () => {
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const [, data] = /^event: changed\ndata: (.*)$/.exec(event) ?? [];
        if (data) member.told.push(JSON.parse(data));
      }
    }
  })().catch(() => undefined);
}

/** Adds a channel below a member and logs in its first user. */
export async function joinBelow(
  { ready }: Platform,
  above: Member,
  name: string,
  createSubLimit: number,
): Promise<Member> {
  const made = await addActiveChannel(above.call, name, `${name}.chief`, { createSubLimit });
  const authorization = `bearer ${await logIn({ ...ready, admin: made })}`;
  const call = createClient({ baseUrl: ready.url, headers: () => ({ 'carillon-auth': authorization }) });
  const member = { companyId: made.id, call, authorization, told: [], username: made.username };
  // Wait until the device service knows the company.
  await eventually(async () => {
    expect((await above.call(listOrderChannels, {})).map((c) => c.id)).toContain(made.id);
  });
  return member;
}

/** Orders an export and returns its rows. */
export async function fileOf(
  { ready }: Platform,
  { call, authorization }: Member,
  order: () => Promise<{ id: string }>,
): Promise<string> {
  const { id } = await order();
  await eventually(async () => expect((await call(getDeviceExport, { params: { id } })).status).toBe('success'));
  const path = getDeviceExportFile.path.replace('{id}', id);
  const answer = await fetch(`${ready.url}${path}`, { headers: { 'carillon-auth': authorization } });
  expect(answer.status).toBe(200);
  return JSON.stringify(rowsOfSheet(Buffer.from(await answer.arrayBuffer())));
}

/** Adds a user whose name must not reach another company. */
export async function addUserOf({ call }: Member, level: string): Promise<string> {
  const [role] = (await call(listRoles, { query: { search: 'viewer' } })).records;
  const { id } = await call(addUser, {
    body: {
      username: `marked.${level}`,
      nickname: `Marked ${level}`,
      email: null,
      activation: 'password',
      password: 'First-Secret-1',
      oldEnough: true,
      roleIds: [role!.id],
      allOrgs: true,
      orgIds: [],
    },
  });
  return id;
}

/** Uploads a configuration file whose name and content must not reach another company. */
export async function addFileOf({ ready }: Platform, { call, authorization }: Member, level: string): Promise<string> {
  const bytes = Buffer.from(`of = ${level}\n`);
  const tus = { 'carillon-auth': authorization, 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${ready.url}/api/f/resource/configFile/upload`, {
    method: 'POST',
    headers: {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(`${level}.cfg`).toString('base64')}`,
    },
  });
  const at = begun.headers.get('location')!;
  await fetch(ready.url + at, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes),
  });
  const upload = at.split('/').at(-1)!;
  const { id } = await call(addConfigFile, { body: { name: `Marked ${level}`, description: '', models: [], upload } });
  return id;
}

/** Requests the content of a configuration file. Returns the status and the text. */
export async function contentOf(
  { ready }: Platform,
  { authorization }: Member,
  fileId: string,
): Promise<[number, string]> {
  const path = getConfigFileContent.path.replace('{id}', fileId);
  const answer = await fetch(`${ready.url}${path}`, { headers: { 'carillon-auth': authorization } });
  return [answer.status, await answer.text()];
}
