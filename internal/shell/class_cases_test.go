package shell

import "testing"

// Git, by what its words make it do: run, write elsewhere, lose, or only look.
func TestGitIsJudgedByItsSubcommandAndWhere(t *testing.T) {
	testClasses(t, map[string]string{
		"<mild": `
			git clean -n
			git clean -nd
			git tag --contains HEAD
			git tag --points-at HEAD
			git symbolic-ref --short HEAD
			git log --no-ext-diff -p`,
		"<read-only": `
			git -c color.ui=always log
			git -c core.quotepath=false status
			git -c core.pager=cat diff
			git -c core.fsmonitor=false status
			git -C sub status`,
		"<low-risk": `
			git -c user.name='Jane Doe' -c user.email=j@example.invalid commit -m x
			git -c commit.gpgsign=false commit -m x
			git worktree add sub/w
			git stash push -m x`,
		"high-risk": `
			git -c core.pager=./p log
			git -c color.pager=./p -c core.pager=less log
			git -c user.name='!sh' -c alias.x=y x
			git -C ../x status
			cd ../x && git status
			git difftool HEAD
			git mergetool
			git hook run pre-commit
			git web--browse x
			git apply --unsafe-paths x
			git log --show-signature
			git commit -S -m x
			git tag -s x
			git verify-tag x
			git diff --no-index a b`,
		"asked": `
			git clone ./a ../b
			git worktree add ../w
			git init ../x
			git bundle create ../x.b HEAD
			git format-patch -o ../x HEAD~1
			git checkout-index --prefix=../x/ -a
			git clone --separate-git-dir=/home/u/x ./a
			git -C .. init x
			git checkout --ours f
			git checkout --theirs -- f
			git checkout -p
			git clean --dry-run --no-dry-run -f
			git repack -adf
			git maintenance register`,
		"blocked": `
			git grep -O'sudo id' x
			git difftool -x 'sudo id' HEAD
			git -C /etc diff --no-index /dev/null passwd`,
	})
}

// What starts another program is judged by that program, wherever it stands.
func TestALauncherIsWhatItLaunches(t *testing.T) {
	testClasses(t, map[string]string{
		"blocked": `
			env - sudo id
			ssh-agent sudo id
			ssh-agent bash -c x
			sshpass -p x sudo id
			logsave f sudo id
			timelimit -t 5 sudo id
			tini -- sudo id
			setlock f sudo id
			xterm -e sudo id
			sg docker 'sudo id'
			sg docker -c 'sudo id'
			pee 'sudo id' cat
			parallel ::: 'sudo id' ls
			bwrap --ro-bind / / sudo id
			ip netns exec x sudo id
			lxc exec c -- sudo id
			dotenv run sudo id
			docker-compose exec c sudo id
			cargo watch -s 'sudo id'
			cargo watch -- sudo id
			nodemon --exec 'sudo id'
			tar --checkpoint=1 --checkpoint-action=exec='sudo id' -cf /dev/null x
			zip x.zip f -T -TT 'sudo id #'
			zip -T --unzip-command='sudo id' x.zip f
			scp -S 'sudo id' a h:b
			mosh --ssh='sudo ssh' h
			make SHELL='sudo id' x`,
		"high-risk": `
			/proc/self/exe -c x
			/proc/$$/exe -c x
			/dev/fd/3
			scala -e x
			raku -e x
			bb -e x
			nu -c x
			sbcl --eval x
			swift -e x
			ghc -e x
			tcc -run x.c
			runghc x.hs
			dc -e '!id'
			m4 f
			date 0101000024
			hostname --file=f
			hostname -b x
			declare -i x='a[$(id)]'
			x='a[$(id)]'; declare -i y=x`,
		"<low-risk": `
			swift build
			dart test
			elixir --version
			docker-compose ps
			make x
			tar tf x`,
		"<mild": `
			date -d yesterday +%F
			date -r f +%s
			date --iso-8601=seconds`,
	})
}

func TestVariablesThatLoadAreToldFromThoseThatDoNot(t *testing.T) {
	testClasses(t, map[string]string{
		"high-risk": `
			LESS='+!touch OUT' less f
			BAT_PAGER=./p bat f
			FZF_DEFAULT_COMMAND=./p fzf
			MAKEFILES=./x make
			MAVEN_OPTS=-javaagent:x mvn test
			_JAVA_OPTIONS=x mvn test
			https_proxy=http://x ls
			ALL_PROXY=x ls
			GCONV_PATH=. ls
			X_LIBRARY_PATH=. ls
			OPENSSL_CONF=./x openssl version
			TMPDIR=/etc mktemp
			PAGER=./p git log
			GIT_PAGER="$X" git log
			GIT_EDITOR='true; x' git commit
			PYTHONWARNINGS=error::x.Y pytest
			env BAT_PAGER=./p bat f
			env NODE_OPTIONS=x npm test`,
		"<low-risk": `
			NODE_ENV=test npm test
			PYTHONDONTWRITEBYTECODE=1 pytest
			CARGO_TERM_COLOR=never cargo test
			GIT_PAGER=cat git log
			PAGER= git log
			GIT_TERMINAL_PROMPT=0 git status
			GIT_AUTHOR_DATE=x git commit -m y
			GIT_EDITOR=true git commit -m x
			env NODE_ENV=test npm test
			NO_PROXY=x ls
			DEBUG=1 go test ./...`,
	})
}

// What reaches beyond the workspace is asked about whatever the tier, in every
// spelling; what only looks is not.
func TestWhatReachesFarIsAskedAboutInEverySpelling(t *testing.T) {
	testClasses(t, map[string]string{
		"asked": `
			ip l s eth0 down
			ip li set x up
			ip -4 r d default
			ip addre add 1 dev x
			ip -b f
			ip vrf exec x ./p
			tc qdisc add dev x root y
			ethtool -s eth0 speed 10
			nmcli c up x
			arp -d x
			sysctl a.c a.b=1
			sysctl --system
			sysctl -f x
			timedatectl set-timezone UTC
			hostnamectl hostname x
			loginctl terminate-user x
			systemctl set-property x y
			systemctl daemon-reexec
			systemctl --user reload-or-restart x
			dmesg -C
			journalctl --vacuum-time=1s
			renice -n 5 -p 1
			taskset -p 1 1
			docker run --pid host i
			docker run --network host i
			docker run --security-opt seccomp=unconfined i
			docker run -itv/:/h i
			docker run -tiv /etc:/e i
			docker run -v ../..:/h i
			docker run --mount type=bind,src=/,dst=/h i
			docker run --volumes-from c i
			docker -H tcp://h ps
			docker stack rm x
			docker rm list
			kubectl delete pod x --dry-run=none
			kubectl debug x
			kubectl get pods,secrets
			kubectl get secret/x -o yaml
			kubectl describe secret x
			npm publish --dry-run=false
			npm publish --dry-run --no-dry-run
			yarn npm publish
			poetry publish
			gradle publish
			aws s3 sync list s3://b
			aws ec2 terminate-instances --instance-ids list
			aws --output list s3 rm s3://b
			gsutil cp list gs://x
			rclone copy ls r:x
			gcloud compute instances delete list
			az vm delete -n list
			fly apps destroy list
			gh workflow run x
			gh cs delete
			gh cache delete --all
			bw get password x
			terraform workspace delete x`,
		"blocked": `
			systemctl soft-reboot
			systemctl isolate poweroff.target
			iptables-nft -F
			ebtables -F
			killall5`,
		"<high-risk": `
			docker run --rm -v "$PWD":/w -w /w i make
			docker run --rm -v .:/w i
			docker run -v cache:/c --pid=container i
			docker compose logs
			kubectl apply -f x --dry-run=client
			kubectl get pods
			npm publish --dry-run
			npm access list x
			aws s3 ls
			aws --profile p ec2 describe-instances
			gcloud compute instances list
			az group show -n x
			rclone lsd r:x
			gh run watch 1
			gh workflow view x
			gh auth status
			gh search issues x`,
		"<read-only": `
			ip a
			ip -br a
			ip a s eth0
			ip route get 1.1.1.1
			sysctl -n a.b
			systemctl list-units
			systemctl is-active x
			hostnamectl
			timedatectl status
			journalctl -u x -n 50
			docker service ls
			iw dev x info
			unzip -l x.zip`,
	})
}

// No verdict says that a program only reads which by its name, or by what it is
// told in so many words, does not.
func TestWhatSaysThatItChangesSomethingIsNotReadOnly(t *testing.T) {
	testClasses(t, map[string]string{
		"low-risk": `
			black .
			rustfmt f.rs
			sponge f
			rename a b f
			cargo fmt
			ruff check --fix
			ruff format
			shfmt -w f
			clang-format -i f.c
			mytool set-token x
			mytool remote delete x
			mytool --output f
			mytool -o out/f.txt
			docker stop c
			docker commit c i
			pip cache purge
			go clean -modcache
			nvm use 18
			protoc --go_out=. f`,
		"<read-only": `
			mytool check
			mytool list
			go doc fmt
			go list ./...
			ruff check .
			pip show install
			lsof -i :8080
			cargo metadata
			mytool -- delete`,
	})
}
