import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/** A part of a company. */
export const organization = defineNoun({
  name: 'organization',
  title: 'Companies and organizations',
  where: {
    does: 'Organizations: list, add, edit, delete and take it back, transfer; who and what is in them',
    folders: ['apps/org/src/organization', 'apps/console/src/area/organization/organization'],
  },
  example: { name: 'Example', description: '' },
  rights: ['add', 'edit', 'delete', 'transfer'],
  menu: { langKey: 'menu.organizations', path: '/system/organization', icon: 'organization', before: 'user' },
});

/** Clients call them `org`. */
export const organizationErrors = defineErrors('org', {
  nameTaken: {
    status: 409,
    en_US: 'An organization with this name already exists.',
    zh_CN: '已存在同名组织。',
    ko: '같은 이름의 조직이 있습니다.',
    pt_BR: 'Já existe uma organização com este nome.',
    help: ['The company has an organization of this name.', 'Choose another name.'],
  },
  notEmpty: {
    status: 409,
    en_US:
      'An organization with users or devices can’t be deleted. Transfer its users ({users}) and devices ({devices}) first.',
    zh_CN: '组织下有用户或设备时不能删除。请先转移 {users} 个用户和 {devices} 台设备。',
    ko: '사용자나 장치가 있는 조직은 삭제할 수 없습니다. 사용자 {users}명과 장치 {devices}대를 먼저 이전하세요.',
    pt_BR:
      'Uma organização com usuários ou dispositivos não pode ser excluída. Transfira antes os usuários ({users}) e dispositivos ({devices}).',
    help: ['Users or devices are still in the organization.', 'Transfer them to another one first.'],
  },
  last: {
    status: 409,
    en_US: 'A company needs at least one organization.',
    zh_CN: '公司至少需要保留一个组织。',
    ko: '회사에는 조직이 하나 이상 있어야 합니다.',
    pt_BR: 'Uma empresa precisa de pelo menos uma organização.',
    help: ["It is the company's only organization.", 'Add another one first.'],
  },
  narrowed: {
    status: 403,
    en_US: 'Only someone who sees all organizations can add one. Choose all organizations in the switcher first.',
    zh_CN: '只有可查看全部组织的用户才能添加组织。请先在切换器中选择全部组织。',
    ko: '모든 조직을 볼 수 있는 사용자만 조직을 추가할 수 있습니다. 먼저 전환기에서 전체 조직을 선택하세요.',
    pt_BR: 'Só quem vê todas as organizações pode adicionar uma. Escolha antes todas as organizações no seletor.',
    help: [
      'The caller, or the organization switcher, sees some organizations only.',
      'Choose all organizations in the switcher, or ask someone who sees all.',
    ],
  },
  sameTarget: {
    status: 400,
    en_US: 'Choose another organization to transfer to.',
    zh_CN: '请选择其他组织作为转移目标。',
    ko: '이전할 다른 조직을 선택하세요.',
    pt_BR: 'Escolha outra organização de destino.',
    help: ['Source and target of the transfer are the same.', 'Choose another target.'],
  },
});
