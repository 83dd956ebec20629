import { activateByPassword, addChannel, type Client, type RouteCall } from '@carillon/contracts';
import { eventually } from './eventually.ts';

type Body = RouteCall<typeof addChannel>['body'];
const [first, password] = ['First-Secret-1', 'Second-Secret-2'];

/** A channel to which nothing is passed on. */
export const noGrants = {
  addressId: null,
  createSubLimit: 0,
  fcsLimit: 0,
  licenseGranting: false,
  fcsEnabled: false,
  localSync: false,
  fcsUrl: '',
  fcsDomain: '',
} as const;

/** Adds a channel below the caller's company, with an account that has set its password and can log in. */
export async function addActiveChannel(
  call: Client,
  name: string,
  username: string,
  more: Partial<Body> = {},
): Promise<{ id: string; username: string; password: string }> {
  const body = {
    name,
    type: 'reseller',
    organizationName: 'Head office',
    remarks: '',
    username,
    nickname: name,
    email: null,
    activation: 'password',
    password: first,
    oldEnough: true,
    language: 'en_US',
    timezoneId: null,
    countryId: 1,
    ...noGrants,
    ...more,
  } satisfies Body;
  // The services learn of the caller's own company a moment later.
  const { id } = await eventually(() => call(addChannel, { body }));
  await eventually(() =>
    call(activateByPassword, { body: { username, password: first, newPassword: password, confirmation: password } }),
  );
  return { id, username, password };
}
