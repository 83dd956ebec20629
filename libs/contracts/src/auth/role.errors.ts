import { defineErrors } from '../define/error.ts';

export const roleErrors = defineErrors('role', {
  nameTaken: {
    status: 409,
    en_US: 'A role with this name already exists.',
    zh_CN: '已存在同名角色。',
    ko: '같은 이름의 역할이 있습니다.',
    pt_BR: 'Já existe uma função com este nome.',
  },
  inUse: {
    status: 409,
    en_US: '{users} {users|user has|users have} this role. Give them another one first.',
    zh_CN: '该角色正被 {users} 个用户使用，请先更换他们的角色。',
    ko: '사용자 {users}명이 이 역할을 사용 중입니다. 먼저 다른 역할을 지정하세요.',
    pt_BR: 'A função é usada por {users} {users|usuário. Dê outra a ele|usuários. Dê outra a eles} primeiro.',
  },
});

export const menuErrors = defineErrors('menu', {
  builtIn: {
    status: 409,
    en_US: 'This entry is built in. You can hide it, but not delete it.',
    zh_CN: '此菜单项为系统内置，可隐藏但不能删除。',
    ko: '제품 기본 메뉴입니다. 숨길 수 있지만 삭제할 수 없습니다.',
    pt_BR: 'Este item faz parte do produto. Você pode ocultá-lo, mas não excluí-lo.',
  },
  hasChildren: {
    status: 409,
    en_US: 'There are entries below this one. Move or delete them first.',
    zh_CN: '其下还有菜单项，请先移动或删除。',
    ko: '하위 메뉴가 있습니다. 먼저 이동하거나 삭제하세요.',
    pt_BR: 'Há itens abaixo deste. Mova-os ou exclua-os primeiro.',
  },
  parentLoop: {
    status: 400,
    en_US: 'An entry can’t be its own parent.',
    zh_CN: '菜单项不能以自身为上级。',
    ko: '자기 자신의 하위로 둘 수 없습니다.',
    pt_BR: 'Um item não pode ser superior a si mesmo.',
  },
  pathFormat: {
    status: 400,
    en_US: 'Enter a URL that starts with http or https, or a path that contains html.',
    zh_CN: '请输入以 http 或 https 开头的网址，或包含 html 的路径。',
    ko: 'http 또는 https로 시작하는 URL이나 html이 포함된 경로를 입력하세요.',
    pt_BR: 'Informe uma URL que comece com http ou https, ou um caminho que contenha html.',
  },
  selfHidden: {
    status: 409,
    en_US: 'The menu administration can’t be hidden.',
    zh_CN: '菜单管理本身不能隐藏。',
    ko: '메뉴 관리 자체는 숨길 수 없습니다.',
    pt_BR: 'A própria administração de menus permanece no menu.',
  },
});
