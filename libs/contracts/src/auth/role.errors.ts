import { defineErrors } from '../define/error.ts';

export const roleErrors = defineErrors('role', {
  nameTaken: {
    status: 409,
    en_US: 'A role of this name exists.',
    zh_CN: '已存在同名角色。',
    ko: '같은 이름의 역할이 있습니다.',
    pt_BR: 'Já existe uma função com este nome.',
  },
  inUse: {
    status: 409,
    en_US: 'The role is in use by {users} users. Give them another one first.',
    zh_CN: '该角色正被 {users} 个用户使用，请先更换他们的角色。',
    ko: '사용자 {users}명이 이 역할을 사용 중입니다. 먼저 다른 역할을 지정하세요.',
    pt_BR: 'A função é usada por {users} usuários. Dê outra a eles primeiro.',
  },
});

export const menuErrors = defineErrors('menu', {
  builtIn: {
    status: 409,
    en_US: 'This entry belongs to the product. It can be hidden, not deleted.',
    zh_CN: '此菜单为系统内置，可隐藏但不能删除。',
    ko: '제품 기본 메뉴입니다. 숨길 수 있지만 삭제할 수 없습니다.',
    pt_BR: 'Esta entrada faz parte do produto. Pode ser oculta, não excluída.',
  },
  hasChildren: {
    status: 409,
    en_US: 'There are entries below it. Move or delete them first.',
    zh_CN: '其下还有菜单，请先移动或删除。',
    ko: '하위 메뉴가 있습니다. 먼저 이동하거나 삭제하세요.',
    pt_BR: 'Há entradas abaixo dela. Mova-as ou exclua-as primeiro.',
  },
  parentLoop: {
    status: 400,
    en_US: 'An entry cannot lie below itself.',
    zh_CN: '菜单不能位于自身之下。',
    ko: '자기 자신의 하위로 둘 수 없습니다.',
    pt_BR: 'Uma entrada não pode ficar abaixo de si mesma.',
  },
  pathFormat: {
    status: 400,
    en_US: 'An address that begins with http or https is needed, or a path with html in it.',
    zh_CN: '需要以 http 或 https 开头的地址，或包含 html 的路径。',
    ko: 'http 또는 https로 시작하는 주소나 html이 포함된 경로가 필요합니다.',
    pt_BR: 'É preciso um endereço que comece com http ou https, ou um caminho com html.',
  },
  selfHidden: {
    status: 409,
    en_US: 'The menu administration itself stays in the menu.',
    zh_CN: '菜单管理本身不能隐藏。',
    ko: '메뉴 관리 자체는 숨길 수 없습니다.',
    pt_BR: 'A própria administração de menus permanece no menu.',
  },
});
