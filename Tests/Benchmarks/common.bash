# What the benchmarks have in common: the programs, inputs, and medians. To be sourced with `root`
# and `folder` set; changes into the folder.
cutroom=${CUTROOM:-$root/.build/release/cutroom}
ffmpeg=${FFMPEG:-ffmpeg}
ff=("$ffmpeg" -nostdin -hide_banner -v error -y)
exact=(-fflags +bitexact -flags:v +bitexact -flags:a +bitexact)
[[ -x $cutroom ]] || { echo "there is no '$cutroom'; build with: swift build -c release" >&2; exit 1; }
mkdir -p "$folder"
cd "$folder"

# A minute of noise and a moving pattern, encoded once, then repeated by copying.
make_input() { # file size rate kbps seconds channels sample-rate
  [[ -s $1 ]] && return 0
  local minute=$(($5 < 60 ? $5 : 60))
  "${ff[@]}" -f lavfi -i "testsrc2=size=$2:rate=$3,noise=c0s=9:c0f=t:all_seed=11:threads=1,format=yuv420p" \
    -t "$minute" -c:v libx264 -preset ultrafast -bf 2 -g 60 -keyint_min 60 -sc_threshold 0 \
    -b:v "$4k" -maxrate "$4k" -bufsize "$((2 * $4))k" "${exact[@]}" minute.mp4
  "${ff[@]}" -f lavfi -i "sine=frequency=440:beep_factor=2:sample_rate=$7" -t "$5" -ac "$6" \
    -c:a aac -b:a 160k "${exact[@]}" sound.m4a
  "${ff[@]}" -stream_loop $((($5 + 59) / 60 - 1)) -i minute.mp4 -i sound.m4a -map 0:v -map 1:a \
    -c copy -t "$5" "${exact[@]}" -movflags +faststart "$1"
  rm -f minute.mp4 sound.m4a
}

median() { sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
