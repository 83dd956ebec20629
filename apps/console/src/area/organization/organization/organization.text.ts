import { defineTexts } from '../../../kit/text/define.ts';

export const organizationTexts = defineTexts({
  'menu.organizations': { en_US: 'Organizations', zh_CN: '组织', ko: '조직', pt_BR: 'Organizações' },
  'menuIcon.organization': { en_US: 'Building', zh_CN: '建筑', ko: '건물', pt_BR: 'Prédio' },
  'organization.name': { en_US: 'Name', zh_CN: '名称', ko: '이름', pt_BR: 'Nome' },
  'organization.nameMissing': {
    en_US: 'Enter a name.',
    zh_CN: '请输入名称。',
    ko: '이름을 입력하세요.',
    pt_BR: 'Informe um nome.',
  },
  'organization.description': { en_US: 'Description', zh_CN: '描述', ko: '설명', pt_BR: 'Descrição' },
  'organization.users': { en_US: 'Users', zh_CN: '用户', ko: '사용자', pt_BR: 'Usuários' },
  'organization.devices': { en_US: 'Devices', zh_CN: '设备', ko: '장치', pt_BR: 'Dispositivos' },
  'organization.contents': {
    en_US: '{{users}} users, {{devices}} devices',
    zh_CN: '{{users}} 个用户，{{devices}} 台设备',
    ko: '사용자 {{users}}명, 장치 {{devices}}대',
    pt_BR: '{{users}} usuários, {{devices}} dispositivos',
  },
  'organization.add': { en_US: 'Add organization', zh_CN: '添加组织', ko: '조직 추가', pt_BR: 'Adicionar organização' },
  'organization.editOne': {
    en_US: 'Edit {{name}}',
    zh_CN: '编辑 {{name}}',
    ko: '{{name}} 편집',
    pt_BR: 'Editar {{name}}',
  },
  'organization.deleteOne': {
    en_US: 'Delete organization {{name}}',
    zh_CN: '删除组织 {{name}}',
    ko: '조직 {{name}} 삭제',
    pt_BR: 'Excluir a organização {{name}}',
  },
  'organization.deleteText': {
    en_US: 'The organization is empty. You can undo this briefly.',
    zh_CN: '该组织为空。短时间内可以撤销。',
    ko: '조직이 비어 있습니다. 잠시 동안 실행 취소할 수 있습니다.',
    pt_BR: 'A organização está vazia. Você pode desfazer isto por um momento.',
  },
  'organization.notEmpty': {
    en_US:
      'An organization with users or devices can’t be deleted. Transfer its users ({{users}}) and devices ({{devices}}) first.',
    zh_CN: '组织下有用户或设备时不能删除。请先转移 {{users}} 个用户和 {{devices}} 台设备。',
    ko: '사용자나 장치가 있는 조직은 삭제할 수 없습니다. 먼저 사용자 {{users}}명과 장치 {{devices}}대를 이전하세요.',
    pt_BR:
      'Uma organização com usuários ou dispositivos não pode ser excluída. Transfira antes os usuários ({{users}}) e dispositivos ({{devices}}).',
  },
  'organization.transfer': { en_US: 'Transfer', zh_CN: '转移', ko: '이전', pt_BR: 'Transferir' },
  'organization.transferOne': {
    en_US: 'Transfer {{name}}',
    zh_CN: '转移 {{name}}',
    ko: '{{name}} 이전',
    pt_BR: 'Transferir {{name}}',
  },
  'organization.transferText': {
    en_US: 'Its users ({{users}}) and devices ({{devices}}) move to another organization.',
    zh_CN: '{{users}} 个用户和 {{devices}} 台设备将移至另一组织。',
    ko: '사용자 {{users}}명과 장치 {{devices}}대를 다른 조직으로 옮깁니다.',
    pt_BR: 'Os usuários ({{users}}) e dispositivos ({{devices}}) vão para outra organização.',
  },
  'organization.target': { en_US: 'To', zh_CN: '目标组织', ko: '대상', pt_BR: 'Para' },
  'organization.targetMissing': {
    en_US: 'Choose an organization.',
    zh_CN: '请选择组织。',
    ko: '조직을 선택하세요.',
    pt_BR: 'Escolha uma organização.',
  },
  'organization.search': {
    en_US: 'Name or description',
    zh_CN: '名称或描述',
    ko: '이름 또는 설명',
    pt_BR: 'Nome ou descrição',
  },
  'organization.none': {
    en_US: 'No organizations yet',
    zh_CN: '暂无组织',
    ko: '조직이 없습니다',
    pt_BR: 'Nenhuma organização ainda',
  },
  'organization.noneText': {
    en_US:
      'Organizations divide a company, for example by branch. Each user sees the devices of their own organizations.',
    zh_CN: '组织用于划分公司，例如按分支机构。每个用户只能看到自己组织的设备。',
    ko: '조직은 지점처럼 회사를 나눕니다. 사용자는 자신이 속한 조직의 장치만 봅니다.',
    pt_BR:
      'Organizações dividem a empresa, por exemplo por filial. Cada usuário vê os dispositivos das próprias organizações.',
  },
  'organization.noMatch': {
    en_US: 'No organization matches the search.',
    zh_CN: '没有符合搜索的组织。',
    ko: '검색에 맞는 조직이 없습니다.',
    pt_BR: 'Nenhuma organização corresponde à busca.',
  },
  'organization.listFailed': {
    en_US: 'The organizations could not be loaded.',
    zh_CN: '无法加载组织。',
    ko: '조직을 불러오지 못했습니다.',
    pt_BR: 'Não foi possível carregar as organizações.',
  },
  'right.addOrganization': {
    en_US: 'Add organizations',
    zh_CN: '添加组织',
    ko: '조직 추가',
    pt_BR: 'Adicionar organizações',
  },
  'right.editOrganization': {
    en_US: 'Edit organizations',
    zh_CN: '编辑组织',
    ko: '조직 편집',
    pt_BR: 'Editar organizações',
  },
  'right.deleteOrganization': {
    en_US: 'Delete organizations',
    zh_CN: '删除组织',
    ko: '조직 삭제',
    pt_BR: 'Excluir organizações',
  },
  'right.transferOrganization': {
    en_US: 'Transfer organizations',
    zh_CN: '转移组织',
    ko: '조직 이전',
    pt_BR: 'Transferir organizações',
  },
  'audit.organization.add': {
    en_US: 'Add organization',
    zh_CN: '添加组织',
    ko: '조직 추가',
    pt_BR: 'Adicionar organização',
  },
  'audit.organization.edit': {
    en_US: 'Edit organization',
    zh_CN: '编辑组织',
    ko: '조직 편집',
    pt_BR: 'Editar organização',
  },
  'audit.organization.restore': {
    en_US: 'Restore organization',
    zh_CN: '恢复组织',
    ko: '조직 복원',
    pt_BR: 'Restaurar organização',
  },
  'audit.organization.delete': {
    en_US: 'Delete organization',
    zh_CN: '删除组织',
    ko: '조직 삭제',
    pt_BR: 'Excluir organização',
  },
  'audit.organization.transfer': {
    en_US: 'Transfer organization',
    zh_CN: '转移组织',
    ko: '조직 이전',
    pt_BR: 'Transferir organização',
  },
  'undo.organizationDeleted': {
    en_US: 'Organization {{name}} deleted',
    zh_CN: '已删除组织 {{name}}',
    ko: '조직 {{name}} 삭제됨',
    pt_BR: 'Organização {{name}} excluída',
  },
  'undo.organizationRestored': {
    en_US: 'Organization {{name}} restored',
    zh_CN: '已恢复组织 {{name}}',
    ko: '조직 {{name}} 복원됨',
    pt_BR: 'Organização {{name}} restaurada',
  },
});
