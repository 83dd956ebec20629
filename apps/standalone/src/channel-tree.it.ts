import { expect, it } from 'vitest';
import {
  addChannel,
  addChannelAddress,
  addRole,
  addUser,
  bindChannel,
  deleteUsers,
  disableUsers,
  editChannelAccount,
  editRole,
  editUser,
  getChannelRoom,
  getUser,
  listChannels,
  listUsers,
  offerChannel,
  provisioningFcsUse,
  resendActivation,
  unbindChannel,
  type PermissionKey,
} from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { envelope, toRecord } from '@carillon/messaging';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import { eventually, newActor, violations, type Actor, type TestedService } from '@carillon/testing';
import { refusal, body, first, later, account, plantTree, startChannels } from './testing/channel-tree.ts';

const tested = await startChannels();
const { bus, auth, org, companies, entries, operator, add, channelOf, names, edit, placed } = tested;
const { distributor, reseller, neighbour, customer } = await plantTree(tested);
const bind = (by: Actor, code: string, addressId: string | null = null) =>
  org.as(by)(bindChannel, { body: { code, addressId } });
const offer = async (by: Actor) => (await org.as(by)(offerChannel, { body: {} })).code;
/** Moves the code's expiry 24 hours into the past. */
const expire = (companyId: string) =>
  transaction(org.database, companySession(companyId), () =>
    currentSql().query(`update channel_code set expires_at = expires_at - interval '24 hours'`),
  );

/** Waits until auth and org know all changes of earlier tests. */
const settled = (actor: Actor) =>
  eventually(async () => {
    const [known, is] = await Promise.all(
      (
        [
          [auth, 'select version from company_copy', 'select id from channel_address_copy'],
          [org, 'select version from company', 'select id from channel_address'],
        ] as const
      ).map(([service, ...statements]) =>
        transaction(service.database, companySession(actor.companyId), async () => {
          const rows = [];
          for (const sql of statements) rows.push((await currentSql().query(sql)).rows);
          return rows;
        }),
      ),
    );
    expect(known).toEqual(is);
  });

it('a company cannot give on FCS accounts that it uses, nor get a limit below its own use', async () => {
  /** Publishes the number of FCS accounts in use, like the provisioning service. */
  const publish = (used: number, version: number) => {
    const { companyId } = reseller;
    const data = { companyId, used };
    return bus.publish([toRecord(provisioningFcsUse, companyId, data, envelope('use', { companyId, version }))]);
  };
  const uses = async (used: number, version: number) => {
    await publish(used, version);
    const fcsLeft = 6 - 1 - used;
    await eventually(async () => expect(await org.as(reseller)(getChannelRoom, {})).toMatchObject({ fcsLeft }));
    await settled(reseller);
  };
  await uses(4, 1);
  const tried = (fcsLimit: number) =>
    refusal(auth.as(reseller)(addChannel, { body: body('Too much of FCS', { fcsLimit }) }));
  expect(await tried(2)).toEqual(['channel.fcsLimit', 'fcsLimit']);
  const given = (actor: Actor, by: Actor, fcsLimit: number) => refusal(edit(by, actor, { fcsLimit }));
  expect(await given(customer, reseller, 3)).toEqual(['channel.fcsLimit', 'fcsLimit']);
  expect(await given(reseller, distributor, 4)).toEqual(['channel.limitInUse', 'fcsLimit']);
  // Amounts that fit are accepted.
  expect(await given(customer, reseller, 2)).toBe('none');
  expect(await given(customer, reseller, 1)).toBe('none');
  // An event with an older version changes nothing.
  await uses(3, 3);
  await publish(0, 2);
  await uses(5, 4);
  expect(await given(customer, reseller, 2)).toEqual(['channel.fcsLimit', 'fcsLimit']);
  await uses(0, 5);
});

it('a user sees the own company and direct channel accounts, and grants no more than they have [USER-02]', async () => {
  const role = (by: Actor, name: string, permissions: PermissionKey[]) =>
    auth.as(by)(addRole, { body: { name, description: '', permissions } });
  const may: PermissionKey[] = ['home', 'user', 'editUser', 'addUser', 'addRole', 'editRole'];
  const plain = await role(reseller, 'Desk', may);
  const user = (by: Actor, username: string, roleIds: string[]) =>
    auth.as(by)(addUser, {
      body: {
        username,
        nickname: username,
        email: null,
        activation: 'password',
        password: first,
        oldEnough: true,
        roleIds,
        allOrgs: true,
        orgIds: [],
      },
    });
  const made = await user(reseller, 'reseller.desk', [plain.id]);
  const { id, username, email, roles, allOrgs, orgs } = await auth.as(reseller)(getUser, { params: { id: made.id } });
  const edited = { id, username, email, roleIds: roles.map((r) => r.id), allOrgs, orgIds: orgs.map((o) => o.id) };
  const rename = (by: Actor, to: string) => refusal(auth.as(by)(editUser, { body: { ...edited, nickname: to } }));
  const seen = async (by: Actor) => (await auth.as(by)(listUsers, { query: {} })).records.map((u) => u.username);
  // Users of the own company are visible and can be changed.
  expect((await seen(reseller)).toSorted()).toEqual(['reseller.chief', 'reseller.desk']);
  expect(await rename(reseller, 'Desk one')).toBe('none');
  // Companies above, beside and below cannot reach them by any call.
  for (const stranger of [operator, distributor, neighbour, customer]) {
    expect(await seen(stranger)).not.toContain('reseller.desk');
    for (const attempt of [
      refusal(auth.as(stranger)(getUser, { params: { id } })),
      rename(stranger, 'Taken'),
      refusal(auth.as(stranger)(deleteUsers, { query: { ids: [id] } })),
      refusal(auth.as(stranger)(disableUsers, { body: { ids: [id] } })),
      refusal(auth.as(stranger)(resendActivation, { body: { id, password: later } })),
    ])
      expect(await attempt).toEqual(['user.missing']);
    expect(JSON.stringify((await org.as(stranger)(listChannels, { query: {} })).records)).not.toContain('desk');
  }
  expect(await auth.as(reseller)(getUser, { params: { id } })).toMatchObject({
    nickname: 'Desk one',
    status: 'inactive',
  });
  // The direct parent can change the account of its channel.
  const chief = { ...account(reseller), nickname: 'Rita', email: (await channelOf(distributor, reseller)).email };
  for (const stranger of [operator, neighbour, customer])
    expect(await refusal(auth.as(stranger)(editChannelAccount, { body: chief }))).toEqual(['common.notFound']);
  expect(await refusal(auth.as(distributor)(editChannelAccount, { body: chief }))).toBe('none');
  await eventually(async () =>
    expect(await channelOf(distributor, reseller)).toMatchObject({ username: 'reseller.chief', nickname: 'Rita' }),
  );
  // Nobody can put more permissions into a role than they hold, assign such a role, or change a user who has more.
  const desk: Actor = { ...reseller, userId: id, permissions: may };
  const strong = await role(reseller, 'Doors', ['home', 'user', 'deleteDevice']);
  const boss = await user(reseller, 'reseller.boss', [strong.id]);
  expect(await refusal(role(desk, 'More', ['home', 'deleteDevice']))).toEqual(['user.beyondOwnRights']);
  expect(
    await refusal(
      auth.as(desk)(editRole, {
        body: { id: plain.id, name: 'Desk', description: '', permissions: [...may, 'deleteDevice'] },
      }),
    ),
  ).toEqual(['user.beyondOwnRights']);
  expect(await refusal(user(desk, 'reseller.second', [strong.id]))).toEqual(['user.beyondOwnRights']);
  expect(
    await refusal(
      auth.as(desk)(editUser, {
        body: { ...edited, id: boss.id, username: 'reseller.boss', nickname: 'Taken', roleIds: [strong.id] },
      }),
    ),
  ).toEqual(['user.beyondOwnRights']);
  expect(await refusal(user(desk, 'reseller.third', [plain.id]))).toBe('none');
});

it('a company is bound by its code once in a day, and unbound [CHN-02/bind] [CHN-02/unbind]', async () => {
  const free = await eventually(async () => add(operator, 'Free', { addressId: await placed(), createSubLimit: 1 }));
  const below = await add(free, 'Below free');
  const replaced = await offer(free);
  const code = await offer(free);
  expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
  for (const wrong of [replaced, 'AAAA-BBBB-CCCC-DDDD', code.slice(0, -1)])
    expect(await refusal(bind(distributor, wrong))).toEqual(['channel.companyMissing']);
  // The parent must have room for the company and its whole subtree.
  expect(await refusal(bind(neighbour, code))).toEqual(['channel.subLimit', 'createSubLimit']);
  // A company cannot be bound to itself or to its own child.
  expect(await refusal(bind(free, code))).toEqual(['channel.ownParent']);
  expect(await refusal(bind(below, code))).toEqual(['channel.ownParent']);
  expect(await refusal(bind(operator, code, await placed()))).toEqual(['channel.alreadySub']);
  await edit(operator, distributor, { createSubLimit: 8 });
  const bound = await bind(distributor, ` ${code.toLowerCase().replaceAll('-', '')} `);
  expect(bound).toMatchObject({
    id: free.companyId,
    name: 'Free',
    createSubLimit: 1,
    subs: 1,
    remarks: '',
    address: [],
  });
  expect(await refusal(bind(distributor, code))).toEqual(['channel.companyMissing']);
  expect(await names(operator)).not.toContain('Free');
  await eventually(() =>
    expect(companies.get(below.companyId)!.path).toBe(
      `/${operator.companyId}/${distributor.companyId}/${free.companyId}/${below.companyId}/`,
    ),
  );
  // A bound company cannot create a code, nor can the installation's own company.
  expect(await refusal(offer(free))).toEqual(['channel.bound']);
  expect(await refusal(offer(operator))).toEqual(['channel.ownParent']);

  await org.as(distributor)(unbindChannel, { body: { id: free.companyId } });
  expect(await names(distributor)).not.toContain('Free');
  // It keeps what it has given on and loses what it was given.
  expect(await channelOf(operator, free)).toMatchObject({ createSubLimit: 1, subs: 1, fcsEnabled: false, remarks: '' });
  expect(await refusal(org.as(operator)(unbindChannel, { body: { id: free.companyId } }))).toEqual(['channel.top']);
  const old = await offer(free);
  await expire(free.companyId);
  expect(await refusal(bind(distributor, old))).toEqual(['channel.companyMissing']);
  // After several wrong codes in an hour the user's codes are no longer looked up, right or wrong.
  const guesser = { ...distributor, userId: newActor().userId };
  const right = await offer(free);
  for (let i = 0; i < 20; i++) expect(await refusal(bind(guesser, `AAAA-BBBB-CCCC-${1000 + i}`))).not.toBe('none');
  expect(await refusal(bind(guesser, right))).toEqual(['common.tooMany']);
  await bind(distributor, right);
  await eventually(() => expect(JSON.stringify(entries)).toContain('channel.bind'));
  for (const secret of [code, right, right.replaceAll('-', '')]) expect(JSON.stringify(entries)).not.toContain(secret);
});

it('companies that bind each other at once, or three in a circle, form no cycle', async () => {
  const [one, two, three] = await Promise.all(
    [4, 2, 0].map(async (createSubLimit, n) =>
      add(operator, `Circle ${n}`, { addressId: await placed(), createSubLimit }),
    ),
  );
  const parents = async () => {
    await eventually(() => {
      for (const member of [one!, two!, three!]) expect(companies.get(member.companyId)).toBeDefined();
    });
    return [one!, two!, three!].map((member) => companies.get(member.companyId)!.path.split('/').slice(1, -1));
  };
  const [codeOfOne, codeOfTwo, codeOfThree] = [await offer(one!), await offer(two!), await offer(three!)];
  const answers = await Promise.all([refusal(bind(one!, codeOfTwo)), refusal(bind(two!, codeOfOne))]);
  expect(answers[0]).toBe('none');
  expect(answers[1]).not.toBe('none');
  await bind(two!, codeOfThree);
  expect(await refusal(bind(three!, codeOfOne))).toEqual(['channel.ownParent']);
  await eventually(async () =>
    expect(await parents()).toEqual([
      [operator.companyId, one!.companyId],
      [operator.companyId, one!.companyId, two!.companyId],
      [operator.companyId, one!.companyId, two!.companyId, three!.companyId],
    ]),
  );
});

it(
  'no call of org or auth reads or changes anything up, beside or two steps down the tree [CHN-04]',
  { tags: 'slow', timeout: 300_000 },
  async () => {
    const place = await org.as(distributor)(addChannelAddress, {
      body: { name: 'Place-Of-Distributor', parentId: null, description: '' },
    });
    const rowsOf = async (service: TestedService, { companyId }: Actor, tables: readonly string[]) =>
      JSON.stringify(
        await transaction(service.database, companySession(companyId), async () => {
          const found = [];
          for (const table of tables)
            found.push(
              (await currentSql().query(`select to_jsonb(x) from ${table} x order by to_jsonb(x)::text`)).rows,
            );
          return found;
        }),
      );
    const facts = 'id, company_id, name, type, status, remarks, create_sub_limit, fcs_limit, fcs_enabled, address_id';
    // A parent's copy of its channel follows the channel's account, so those rows belong to the caller and do not
    // count.
    const stateOf = async (actor: Actor, by: Actor) =>
      (await rowsOf(org, actor, [
        'company',
        'organization',
        `(select ${facts} from channel where id <> '${by.companyId}')`,
        'channel_address',
        'channel_code',
      ])) + (await rowsOf(auth, actor, ['user_account', 'role', 'company_copy', 'channel_address_copy']));
    const own = ({ companyId, userId }: Actor) => [companyId, userId];
    // Changes of a user's own account reach the parent some moments later.
    const nobody = newActor().userId;
    /** Caller, victim, names that must not appear, and ids of the victim beside its own. */
    const cases: readonly (readonly [who: string, by: Actor, of: Actor, marks: readonly string[], more: string[]])[] = [
      ['a child of its parent', reseller, distributor, ['Distributor', 'distributor.chief'], [place.id]],
      ['a grandchild of its grandparent', customer, distributor, ['Distributor', 'distributor.chief'], [place.id]],
      ['a child of its parent, further down', customer, reseller, ['Reseller', 'reseller.chief'], []],
      ['a sibling of its sibling', neighbour, reseller, ['Reseller', 'reseller.chief'], []],
      ['a sibling of the child of its sibling', neighbour, customer, ['Customer', 'customer.chief'], []],
      ['a grandparent of its grandchild', distributor, customer, ['Customer', 'customer.chief'], []],
    ];
    for (const [, , member] of cases) await settled(member);
    for (const [who, by, member, marks, more] of cases)
      for (const [name, service] of [
        ['org', org],
        ['auth', auth],
      ] as const) {
        // A company names the parent that it lets in there (docs/adr/0023-visits.md).
        const named = who.startsWith('a child of its parent')
          ? ['getSupportAccess', 'addSupportAccess', 'listSupportAccess', 'endSupportAccess']
          : [];
        const routes = allRoutes.filter(
          (r) => r.owner === name && r.route.permission !== 'public' && !named.includes(r.name),
        );
        const found = await violations({
          routes,
          ids: [...own(member), ...more],
          marks: [...marks, ...(more.length > 0 ? ['Place-Of-Distributor'] : [])],
          state: () => stateOf(member, by),
          ask: async (one) => {
            const { status, body: answer } = await service.raw(
              { ...by, userId: nobody },
              {
                method: one.method,
                url: one.url,
                ...(one.body === undefined
                  ? {}
                  : { payload: one.body, headers: { 'content-type': 'application/json' } }),
              },
            );
            return { status, text: JSON.stringify(answer) };
          },
        });
        expect(found.map((f) => f.slice(0, 600)).join('\n'), `${who}: ${name}`).toBe('');
      }
  },
);
