/** A phone as it is sold, with what it asks for and has. Written from what the makers document. */
export interface Sold {
  maker: string;
  model: string;
  mac: string;
  /** What it asks for when it starts, with the answers. */
  asked: readonly (readonly [file: string, status: number])[];
  /** Names of the time server, and of line 1: whether it is on, its number, its password. */
  names: readonly [server: string, enable: string, user: string, password: string];
  /** What it has there when the line is on and off. */
  switched: readonly [on: string, off: string];
  /** The calls of its action URLs. */
  called: readonly string[];
}
const onOff = ['1', '0'] as const;
const calls = ['boot', 'registered'] as const;

export const sold: readonly Sold[] = [
  {
    ...{ maker: 'Fanvil', model: 'X4U', mac: '0c383e00f201' },
    asked: [
      ['0c383e00f201.cfg', 200],
      ['fanvil_x4u_hwv1_0.txt', 404],
    ],
    names: ['phone/date/SNTPServer', 'sip/line.1/EnableReg', 'sip/line.1/PhoneNumber', 'sip/line.1/RegisterPswd'],
    ...{ switched: onOff, called: [] },
  },
  {
    ...{ maker: 'Yealink', model: 'SIP-T46U', mac: '805ec000f202' },
    asked: [
      ['805ec000f202.boot', 404],
      ['y000000000000.boot', 404],
      ['y000000000108.cfg', 404],
      ['805ec000f202.cfg', 200],
    ],
    names: ['local_time.ntp_server1', 'account.1.enable', 'account.1.user_name', 'account.1.password'],
    ...{ switched: onOff, called: calls },
  },
  {
    ...{ maker: 'Grandstream', model: 'GRP2614', mac: 'c074ad00f203' },
    asked: [
      ['cfgc074ad00f203', 404],
      ['cfgc074ad00f203.xml', 200],
    ],
    names: ['P30', 'P271', 'P35', 'P34'],
    ...{ switched: onOff, called: calls },
  },
  {
    ...{ maker: 'Snom', model: 'D785', mac: '00041300f204' },
    asked: [
      ['snomD785.htm', 404],
      ['snomD785-00041300F204.htm', 200],
    ],
    names: ['ntp_server', 'user_active.1', 'user_name.1', 'user_pass.1'],
    ...{ switched: ['on', 'off'], called: calls },
  },
  {
    ...{ maker: 'Poly', model: 'VVX 450', mac: '64167f00f205' },
    asked: [
      ['64167f00f205.cfg', 404],
      ['000000000000.cfg', 200],
      ['64167f00f205-config.cfg', 200],
      ['64167f00f205-license.cfg', 404],
      ['64167f00f205-directory.xml', 404],
    ],
    names: ['tcpIpApp.sntp.address', 'reg.1.server.1.register', 'reg.1.auth.userId', 'reg.1.auth.password'],
    ...{ switched: onOff, called: ['registered'] },
  },
  {
    ...{ maker: 'Akuvox', model: 'SP-R50P', mac: '0c110500f206' },
    asked: [['0C110500F206.cfg', 200]],
    names: ['Settings.SNTP.NTPServer1', 'Account1.GENERAL.Enable', 'Account1.GENERAL.UserName', 'Account1.GENERAL.Pwd'],
    ...{ switched: onOff, called: calls },
  },
  {
    ...{ maker: 'Htek', model: 'UC926', mac: '001fc100f207' },
    asked: [
      ['cfg0010.xml', 404],
      ['cfg001fc100f207', 404],
      ['cfg001fc100f207.xml', 200],
    ],
    names: ['P30', 'P271', 'P35', 'P34'],
    ...{ switched: onOff, called: calls },
  },
];
