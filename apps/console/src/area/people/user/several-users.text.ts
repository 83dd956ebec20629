import { defineTexts } from '../../../kit/text/define.ts';

export const severalUsersTexts = defineTexts({
  'severalUsers.mode': {
    en_US: 'How many users',
    zh_CN: '用户数量',
    ko: '사용자 수',
    pt_BR: 'Quantos usuários',
  },
  'severalUsers.one': { en_US: 'One user', zh_CN: '单个用户', ko: '한 명', pt_BR: 'Um usuário' },
  'severalUsers.several': { en_US: 'Several users', zh_CN: '多个用户', ko: '여러 명', pt_BR: 'Vários usuários' },
  'severalUsers.title': { en_US: 'Add users', zh_CN: '添加用户', ko: '사용자 추가', pt_BR: 'Adicionar usuários' },
  'severalUsers.addAnother': {
    en_US: 'Save and add another',
    zh_CN: '保存并继续添加',
    ko: '저장하고 계속 추가',
    pt_BR: 'Salvar e adicionar outro',
  },
  'severalUsers.add': {
    en_US: { one: 'Add {{count}} user', other: 'Add {{count}} users' },
    zh_CN: '添加 {{count}} 个用户',
    ko: '사용자 {{count}}명 추가',
    pt_BR: {
      one: 'Adicionar {{count}} usuário',
      many: 'Adicionar {{count}} usuários',
      other: 'Adicionar {{count}} usuários',
    },
  },
  'severalUsers.added': {
    en_US: { one: '{{count}} user added', other: '{{count}} users added' },
    zh_CN: '已添加 {{count}} 个用户',
    ko: '사용자 {{count}}명을 추가했습니다',
    pt_BR: {
      one: '{{count}} usuário adicionado',
      many: '{{count}} usuários adicionados',
      other: '{{count}} usuários adicionados',
    },
  },
  'severalUsers.addresses': {
    en_US: 'Email addresses',
    zh_CN: '邮箱地址',
    ko: '이메일 주소',
    pt_BR: 'Endereços de e-mail',
  },
  'severalUsers.hint': {
    en_US:
      'Paste up to {{most}}, one per line or separated by commas. Names are read too: Anna Weber <anna@example.com>',
    zh_CN: '最多粘贴 {{most}} 个，每行一个或用逗号分隔。也可带姓名：Anna Weber <anna@example.com>',
    ko: '최대 {{most}}개를 한 줄에 하나씩 또는 쉼표로 구분해 붙여 넣으세요. 이름도 읽습니다: Anna Weber <anna@example.com>',
    pt_BR:
      'Cole até {{most}}, um por linha ou separados por vírgulas. Nomes também são lidos: Anna Weber <anna@example.com>',
  },
  'severalUsers.missing': {
    en_US: 'Paste at least one address.',
    zh_CN: '请至少粘贴一个地址。',
    ko: '주소를 하나 이상 붙여 넣으세요.',
    pt_BR: 'Cole pelo menos um endereço.',
  },
  'severalUsers.tooMany': {
    en_US: 'Add at most {{most}} users at once.',
    zh_CN: '一次最多添加 {{most}} 个用户。',
    ko: '한 번에 최대 {{most}}명까지 추가할 수 있습니다.',
    pt_BR: 'Adicione no máximo {{most}} usuários de cada vez.',
  },
  'severalUsers.people': { en_US: 'New users', zh_CN: '新用户', ko: '새 사용자', pt_BR: 'Novos usuários' },
  'severalUsers.nicknameOf': {
    en_US: 'Display name of {{email}}',
    zh_CN: '{{email}} 的显示名称',
    ko: '{{email}}의 표시 이름',
    pt_BR: 'Nome de exibição de {{email}}',
  },
  'severalUsers.usernameOf': {
    en_US: 'Username of {{email}}',
    zh_CN: '{{email}} 的用户名',
    ko: '{{email}}의 사용자 이름',
    pt_BR: 'Nome de usuário de {{email}}',
  },
  'severalUsers.oldEnough': {
    en_US: 'Everyone is at least {{age}} years old.',
    zh_CN: '他们均已年满 {{age}} 周岁。',
    ko: '모두 만 {{age}}세 이상입니다.',
    pt_BR: 'Cada um tem pelo menos {{age}} anos.',
  },
  'severalUsers.tell': {
    en_US: 'Share these details with the users. They sign in at {{address}}. The passwords are not shown again.',
    zh_CN: '请将这些信息告知用户。登录地址：{{address}}。密码不会再次显示。',
    ko: '이 정보를 사용자에게 전달하세요. 로그인 주소: {{address}}. 비밀번호는 다시 표시되지 않습니다.',
    pt_BR: 'Passe estes dados aos usuários. Eles entram em {{address}}. As senhas não serão mostradas de novo.',
  },
  'severalUsers.copyAll': { en_US: 'Copy all', zh_CN: '全部复制', ko: '모두 복사', pt_BR: 'Copiar tudo' },
});
