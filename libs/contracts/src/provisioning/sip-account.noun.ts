import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

export const sipAccount = defineNoun({
  name: 'sipAccount',
  title: 'SIP accounts',
  where: {
    does: 'SIP accounts: what a line registers with, its passwords sealed, the devices that have it',
    folders: ['apps/provisioning/src/sip-account', 'apps/device/src/line', 'apps/console/src/area/sip/sip-account'],
  },
  example: { name: 'Example', number: '100' },
  needs: { serverId: 'sipServer' },
  rights: ['add', 'edit', 'delete', 'assign', 'import'],
  menu: { langKey: 'menu.sipAccounts', path: '/account/sip/sipAccount', icon: 'account', before: 'ldapAccount' },
});

export const sipAccountErrors = defineErrors('sipAccount', {
  numberTaken: {
    status: 409,
    en_US: 'An account with this number already exists on this server.',
    zh_CN: '该服务器上已存在此号码的账号。',
    ko: '이 서버에 같은 번호의 계정이 이미 있습니다.',
    pt_BR: 'Já existe uma conta com este número neste servidor.',
    help: [
      'Another account of the company has the same number on the same server.',
      'Choose another number or another server.',
    ],
  },
  numberFormat: {
    status: 400,
    en_US: 'Use letters, digits and the characters - _ . + * # only. Example: 2001',
    zh_CN: '只能使用字母、数字和 - _ . + * #。例如：2001',
    ko: '문자, 숫자 및 - _ . + * # 만 사용할 수 있습니다. 예: 2001',
    pt_BR: 'Use só letras, dígitos e os caracteres - _ . + * #. Exemplo: 2001',
    help: [
      'The user number has a character that a SIP address cannot hold without escapes.',
      'Use letters, digits, hyphens, underscores, dots, plus signs, asterisks and number signs.',
    ],
  },
});
