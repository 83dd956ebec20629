import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

export const sipAccount = defineNoun({
  name: 'sipAccount',
  title: 'SIP accounts',
  where: {
    does: 'SIP accounts: what a line registers with, its passwords sealed, the devices that have it',
    folders: ['apps/provisioning/src/sip-account', 'apps/device/src/line', 'apps/console/src/area/sip/sip-account'],
  },
  example: { name: 'Example', number: '100', authPassword: 'Example-Secret-1' },
  needs: { serverId: 'sipServer' },
  rights: ['add', 'edit', 'delete', 'assign', 'import', 'reveal'],
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
  rangeFormat: {
    status: 400,
    en_US: 'A range goes from digits to digits. Example: 8000 to 8199',
    zh_CN: '号码范围只能由数字组成。例如：8000 至 8199',
    ko: '범위는 숫자만 사용할 수 있습니다. 예: 8000~8199',
    pt_BR: 'Um intervalo vai de dígitos a dígitos. Exemplo: 8000 a 8199',
    help: ['A range of numbers begins or ends with something that is no number.', 'Use 1 to 15 digits for each.'],
  },
  rangeOrder: {
    status: 400,
    en_US: 'The last number is below the first.',
    zh_CN: '末号码小于首号码。',
    ko: '마지막 번호가 첫 번호보다 작습니다.',
    pt_BR: 'O último número é menor que o primeiro.',
    help: ['A range of numbers ends before it begins.', 'Swap the two.'],
  },
  rangeLong: {
    status: 400,
    en_US: 'A range has at most 1,000 numbers. Add several ranges.',
    zh_CN: '一个范围最多 1,000 个号码，请分多次添加。',
    ko: '한 범위는 최대 1,000개 번호입니다. 여러 번 추가하세요.',
    pt_BR: 'Um intervalo tem no máximo 1.000 números. Adicione vários intervalos.',
    help: ['More accounts than that are not added by one call.', 'Divide the range.'],
  },
  rangeTaken: {
    status: 409,
    en_US: '{count} of the numbers {count|is|are} already on this server, the first is {number}. No account was added.',
    zh_CN: '该服务器上已有其中 {count} 个号码，第一个是 {number}。未添加任何账号。',
    ko: '번호 {count}개가 이미 이 서버에 있습니다. 첫 번째는 {number}입니다. 추가된 계정이 없습니다.',
    pt_BR:
      '{count} dos números já {count|está|estão} neste servidor; o primeiro é {number}. Nenhuma conta foi adicionada.',
    help: [
      'Accounts of the company have some numbers of the range on the same server.',
      'Choose another range, or delete these accounts.',
    ],
  },
});
